package whip

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"github.com/pion/webrtc/v4"

	"stoa/video/internal/intake"
	"stoa/video/internal/live"
	"stoa/video/internal/porter"
)

var (
	errDeleted = errors.New("it ended the session")
	errLeft    = errors.New("its connection is gone")
)

// Key frames are asked for so often: segments begin with them.
const keyFrames = 2 * time.Second

// session is a publisher that was let in.
type session struct {
	id       string
	fragment string
	patience *porter.Patience
	feed     live.Feed
	log      *slog.Logger

	pc     *webrtc.PeerConnection
	events chan event
	over   chan struct{} // closed when it has to end
	gone   chan struct{} // closed when it has ended
	once   sync.Once
	reason error

	intake    *intake.Intake
	begun     time.Time
	asked     time.Time // when a key frame was asked for
	pictures  *intake.Pictures
	sound     live.Format
	order     [2]reorder // of pictures and sound
	clocks    [2]clock
	assembler assembler
	media     uint32 // SSRC of the pictures
}

// event is what a track brings: a packet or a report.
type event struct {
	track  int
	source uint32 // SSRC
	packet *rtp.Packet
	report *rtcp.SenderReport
}

const (
	pictureTrack = 0
	soundTrack   = 1
)

// tag names the one ICE session that there is.
func (n *session) tag() string { return `"` + n.id[:8] + `"` }

// open makes the connection, as far as it is made before the answer is there.
func (n *session) open(ctx context.Context, api *webrtc.API, o offer) (answer string, err error) {
	n.pc, err = api.NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		return "", fmt.Errorf("make a connection: %w", err)
	}
	n.events, n.over = make(chan event, 256), make(chan struct{})
	n.intake = intake.New(n.feed, o.pictures > 0, o.sound > 0)
	n.pictures, n.sound = intake.H264(), &codecs.Opus{ChannelCount: 2}
	n.clocks = [2]clock{{rate: 90000}, {rate: 48000}}
	var taken [2]sync.Once
	n.pc.OnTrack(func(t *webrtc.TrackRemote, r *webrtc.RTPReceiver) {
		track := soundTrack
		if t.Kind() == webrtc.RTPCodecTypeVideo {
			track = pictureTrack
		}
		taken[track].Do(func() { // of several, the first
			go n.readReports(track, r)
			go n.readPackets(track, t)
		})
	})
	n.pc.OnConnectionStateChange(func(state webrtc.PeerConnectionState) {
		if state == webrtc.PeerConnectionStateFailed || state == webrtc.PeerConnectionStateClosed {
			n.end(errLeft)
		}
	})
	if answer, err = o.answer(ctx, n.pc); err != nil {
		n.close()
	}
	return answer, err
}

// end makes the session end; the first reason counts.
func (n *session) end(reason error) {
	n.once.Do(func() {
		n.reason = reason
		close(n.over)
	})
}

func (n *session) close() { _ = n.pc.Close() }

// readPackets brings the packets of a track. Those that are broken are left out.
func (n *session) readPackets(track int, t *webrtc.TrackRemote) {
	for {
		b := make([]byte, 1500)
		size, _, err := t.Read(b)
		if err != nil {
			return
		}
		p := new(rtp.Packet)
		if p.Unmarshal(b[:size]) != nil || !isTaken(t) {
			continue
		}
		if !n.send(event{track: track, source: uint32(t.SSRC()), packet: p}) {
			return
		}
	}
}

// isTaken says whether the packets are of a codec that was agreed on: there may be
// others of the same kind, such as comfort noise.
func isTaken(t *webrtc.TrackRemote) bool {
	kind := t.Codec().MimeType
	return strings.EqualFold(kind, webrtc.MimeTypeH264) || strings.EqualFold(kind, webrtc.MimeTypeOpus)
}

func (n *session) readReports(track int, r *webrtc.RTPReceiver) {
	for {
		packets, _, err := r.ReadRTCP()
		if err != nil {
			return
		}
		for _, p := range packets {
			if report, ok := p.(*rtcp.SenderReport); ok && !n.send(event{track: track, source: report.SSRC, report: report}) {
				return
			}
		}
	}
}

func (n *session) send(e event) bool {
	select {
	case n.events <- e:
		return true
	case <-n.over:
		return false
	}
}

// run takes what comes to the feed until the session ends. What a publisher sends is
// parsed here, so that a panic ends nothing but the session.
func (n *session) run(ctx context.Context) {
	defer n.feed.Close()
	defer n.close()
	defer func() {
		if porter.Panicked(n.log, recover()) {
			n.end(errLeft)
		}
	}()
	n.log.Info("a publisher came")
	n.begun = time.Now()
	n.patience.Heard()
	tick := time.NewTicker(n.patience.Pace())
	defer tick.Stop()
	for {
		select {
		case <-n.over:
			n.log.Info("a publisher left", "reason", n.reason)
			return
		case <-ctx.Done():
			n.end(porter.ErrStopping)
		case <-n.feed.Done():
			n.end(porter.ErrDismissed)
		case <-tick.C:
			n.look()
		case e := <-n.events:
			if err := n.take(e); errors.Is(err, live.ErrEnded) {
				n.patience.End()
			} else if err != nil {
				n.end(err)
			}
		}
	}
}

// look does what is due from time to time.
func (n *session) look() {
	if err := n.patience.Check(); err != nil {
		n.end(err)
	}
	n.askForKeyFrame(keyFrames)
}

// askForKeyFrame asks the publisher for a key frame, unless it was asked just now.
func (n *session) askForKeyFrame(pause time.Duration) {
	if n.media == 0 || n.patience.Ended() || time.Since(n.asked) < pause {
		return
	}
	n.asked = time.Now()
	_ = n.pc.WriteRTCP([]rtcp.Packet{&rtcp.PictureLossIndication{MediaSSRC: n.media}})
}

func (n *session) take(e event) error {
	switch {
	case n.patience.Ended():
		return nil
	case e.report != nil:
		n.clocks[e.track].note(e.report)
		return nil
	case e.track == soundTrack:
		return n.order[soundTrack].push(e.packet, time.Now(), n.takeSound)
	}
	if n.media != e.source {
		n.media = e.source
		n.askForKeyFrame(0)
	}
	return n.order[pictureTrack].push(e.packet, time.Now(), n.takePicture)
}

func (n *session) takeSound(p *rtp.Packet, _ bool) error {
	at := n.clocks[soundTrack].at(p.Timestamp, time.Since(n.begun))
	if len(p.Payload) == 0 {
		return nil
	}
	n.patience.Heard()
	return n.intake.Sound(n.sound, live.Frame{DTS: at, PTS: at, Payload: p.Payload})
}

func (n *session) takePicture(p *rtp.Packet, lost bool) error {
	if lost {
		n.askForKeyFrame(keyFrames / 4)
	}
	units, stamp := n.assembler.push(p, lost)
	if units == nil {
		return nil
	}
	at := n.clocks[pictureTrack].at(stamp, time.Since(n.begun))
	payload, key, format := n.pictures.Read(units)
	if payload == nil {
		return nil
	}
	align(&n.clocks[pictureTrack], &n.clocks[soundTrack])
	n.patience.Heard()
	return n.intake.Picture(format, live.Frame{DTS: at, PTS: at, Key: key, Payload: payload})
}

package whip_test

import (
	"context"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"
	"github.com/pion/rtcp"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"

	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/live"
	"stoa/video/internal/mpegts"
	"stoa/video/internal/whip"
)

func TestMain(m *testing.M) { ffmpegtest.Main(m) }

const key = "4f1b-secret-key"

// serve runs a server until the test ends, and answers the address of its offers.
func serve(t testing.TB, o whip.Options) string {
	t.Helper()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	port, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := whip.NewServer(o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, port) }()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /whip", s.Post)
	mux.HandleFunc("POST /whip/{streamKey}", s.Post)
	mux.HandleFunc("DELETE /whip/sessions/{session}", s.Delete)
	mux.HandleFunc("PATCH /whip/sessions/{session}", s.Patch)
	web := httptest.NewServer(mux)
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("got %v when the server was stopped", err)
		}
		web.Close()
	})
	awaitOpen(t, web.URL)
	return web.URL + "/whip"
}

// awaitOpen waits until the server has begun to serve: before, it refuses offers.
func awaitOpen(t testing.TB, url string) {
	t.Helper()
	for {
		status, _, _ := request(t, "POST", url+"/whip/"+"nobody", "application/sdp", minimalOffer)
		if status != http.StatusServiceUnavailable {
			return
		}
	}
}

// minimalOffer is the least that is read as one.
const minimalOffer = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=ice-ufrag:abcd\r\na=sendonly\r\n"

// request answers the status, the body and the heads of the answer.
func request(t testing.TB, method, url, kind, body string, heads ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	for i := 0; i+1 < len(heads); i += 2 {
		r.Header.Set(heads[i], heads[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text), res.Header
}

// browser is a publisher.
type browser struct {
	pc      *webrtc.PeerConnection
	picture *webrtc.TrackLocalStaticSample
	sound   *webrtc.TrackLocalStaticSample
	asked   chan struct{} // a key frame was asked for
	up      chan struct{} // closed with the connection
	offer   string
}

func newBrowser(t testing.TB, video string) *browser {
	t.Helper()
	var engine webrtc.SettingEngine
	engine.SetIncludeLoopbackCandidate(true)
	engine.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4})
	engine.SetIPFilter(func(ip net.IP) bool { return ip.IsLoopback() })
	pc, err := webrtc.NewAPI(webrtc.WithSettingEngine(engine)).NewPeerConnection(webrtc.Configuration{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pc.Close() })
	b := &browser{pc: pc, asked: make(chan struct{}, 100), up: make(chan struct{})}
	connected := sync.OnceFunc(func() { close(b.up) })
	pc.OnConnectionStateChange(func(s webrtc.PeerConnectionState) {
		if s == webrtc.PeerConnectionStateConnected {
			connected()
		}
	})
	b.picture, b.sound = b.add(t, video), b.add(t, webrtc.MimeTypeOpus)
	offer, err := pc.CreateOffer(nil)
	if err != nil {
		t.Fatal(err)
	}
	gathered := webrtc.GatheringCompletePromise(pc)
	if err := pc.SetLocalDescription(offer); err != nil {
		t.Fatal(err)
	}
	<-gathered
	b.offer = pc.LocalDescription().SDP
	return b
}

func (b *browser) add(t testing.TB, kind string) *webrtc.TrackLocalStaticSample {
	t.Helper()
	track, err := webrtc.NewTrackLocalStaticSample(webrtc.RTPCodecCapability{MimeType: kind}, kind[:5], "stream")
	if err != nil {
		t.Fatal(err)
	}
	sender, err := b.pc.AddTrack(track)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			packets, _, err := sender.ReadRTCP()
			if err != nil {
				return
			}
			for _, p := range packets {
				if _, ok := p.(*rtcp.PictureLossIndication); ok {
					select {
					case b.asked <- struct{}{}:
					default:
					}
				}
			}
		}
	}()
	return track
}

// join takes the answer and waits for the connection.
func (b *browser) join(t testing.TB, answer string) {
	t.Helper()
	if err := b.pc.SetRemoteDescription(webrtc.SessionDescription{Type: webrtc.SDPTypeAnswer, SDP: answer}); err != nil {
		t.Fatal(err)
	}
	select {
	case <-b.up:
	case <-time.After(time.Minute):
		t.Fatal("no connection came about")
	}
}

// film reads pictures and sound for publishers.
func film(t testing.TB, size string) []live.Frame {
	t.Helper()
	b, err := os.ReadFile(ffmpegtest.Make(t, "film.ts",
		"-f", "lavfi", "-i", "testsrc=rate=25:duration=0.6:size="+size, "-f", "lavfi", "-i", "sine=duration=0.6:sample_rate=48000",
		"-c:v", "libx264", "-preset", "ultrafast", "-profile:v", "baseline", "-pix_fmt", "yuv420p", "-g", "5", "-c:a", "libopus"))
	if err != nil {
		t.Fatal(err)
	}
	feed := intaketest.NewFeed()
	if err := mpegts.NewReader(feed).Write(b); err != nil {
		t.Fatal(err)
	}
	starts, frames := feed.Kept()
	format := starts[0][0].(*codecs.H264)
	for n, f := range frames {
		if f.Track == 0 {
			frames[n].Payload = annexB(f, format)
		}
	}
	return frames
}

// annexB is a picture as encoders give it, with its parameter sets.
func annexB(f live.Frame, format *codecs.H264) []byte {
	code := []byte{0, 0, 0, 1}
	var out []byte
	if f.Key {
		for _, set := range [][]byte{format.SPS, format.PPS} {
			out = append(append(out, code...), set...)
		}
	}
	for b := f.Payload; len(b) > 4; {
		size := int(binary.BigEndian.Uint32(b))
		out = append(append(out, code...), b[4:4+size]...)
		b = b[4+size:]
	}
	return out
}

// send sends frames until the feed has enough, beginning again where they end.
func (b *browser) send(frames []live.Frame, enough <-chan struct{}) {
	tick := time.NewTicker(4 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, f := range frames {
			track, length := b.sound, 20*time.Millisecond
			if f.Track == 0 {
				track, length = b.picture, 40*time.Millisecond
			}
			if track.WriteSample(media.Sample{Data: f.Payload, Duration: length}) != nil {
				return
			}
			select {
			case <-enough:
				return
			case <-tick.C:
			}
		}
	}
}

package live

import (
	"fmt"
	"maps"
	"time"

	"stoa/internal/fault"
)

// Packager sets the frames of a publisher on the time line of a broadcast, and says
// where its tracks are cut: where the picture is, at a key frame.
type Packager struct {
	sink   Sink
	place  Place // of what was cut; its Segment is that of the open one
	line   timeline
	follow Follower

	cutters map[string]*Cutter // by track
	lanes   []*lane            // by the number of their format
	picture *lane              // nil: none
	sound   *lane
	held    []Frame // sound that waits for the first picture
	heldNow int     // bytes of it

	starts int           // how often formats have changed
	open   bool          // a segment is
	start  time.Duration // of it
	broken bool          // the next one does not go on from the one before
}

// Follower makes more of the picture as it goes, such as smaller ones. Its methods are
// called in the order of time, and must not wait.
type Follower interface {
	Start(track string, f Format) // track is that of the picture itself
	Cut(at Cut)
	Write(f Frame) // its times are those of the broadcast
}

// How long tracks wait for each other, and with how much.
const (
	patience = 2 * time.Second // sound for the first picture, a track for one that has stopped
	maxHeld  = 1 << 20         // bytes of sound that waits
)

// maxStarts is how often formats may change, and once more with each second.
const maxStarts = 30

// Bytes of a frame, at most.
const (
	maxPicture = 16 << 20
	maxSound   = 256 << 10
)

var errFrame = fault.New(fault.Invalid, "a frame is too large: lower the bit rate")

// NewPackager makes a packager for a publisher of a broadcast that goes on from a place.
func NewPackager(from Place, sink Sink) *Packager {
	p := &Packager{sink: sink, place: from, cutters: map[string]*Cutter{}, broken: from.Segment > 0}
	p.line.start = from.Time
	return p
}

// Follow lets somebody take the pictures too. It is called before Start.
func (p *Packager) Follow(f Follower) { p.follow = f }

// Start names the formats of the tracks, and again when one of them changes. It answers
// ErrFormat to what cannot be packed.
func (p *Packager) Start(formats []Format) error {
	if p.started(formats) {
		return nil
	}
	if p.starts++; p.starts > maxStarts+int(max(0, p.line.now-p.line.start)/time.Second) {
		return fmt.Errorf("%w (it changes too often)", ErrFormat)
	}
	lanes := make([]*lane, len(formats))
	var picture, sound *lane
	for i, f := range formats {
		l, err := p.lane(f)
		switch {
		case err != nil:
			return err
		case f.IsVideo() && picture == nil:
			picture = l
		case !f.IsVideo() && sound == nil:
			sound = l
		default:
			return fmt.Errorf("%w (more than one picture or sound)", ErrFormat)
		}
		lanes[i] = l
	}
	if len(lanes) == 0 {
		return fmt.Errorf("%w (neither picture nor sound)", ErrFormat)
	}
	if err := p.Close(); err != nil {
		return err
	}
	p.lanes, p.picture, p.sound = lanes, picture, sound
	for _, l := range lanes {
		p.cutters[l.track] = l.cutter
		if err := l.cutter.start(l.format, l.head); err != nil {
			return err
		}
		l.clock = trackClock{floor: p.place.Time, tick: duration(1, l.head.Clock), late: l == sound}
	}
	if p.follow != nil && picture != nil {
		p.follow.Start(picture.track, picture.format)
	}
	return nil
}

// Write takes a frame, and its payload for its own.
func (p *Packager) Write(f Frame) error {
	if f.Track < 0 || f.Track >= len(p.lanes) {
		return fmt.Errorf("%w (a frame of an unknown track)", ErrFormat)
	}
	l := p.lanes[f.Track]
	switch {
	case len(f.Payload) == 0:
		return nil
	case len(f.Payload) > maxPicture, l == p.sound && len(f.Payload) > maxSound:
		return errFrame
	case l == p.sound:
		f.Key, l.filling = true, false
	}
	if p.picture == nil || p.picture.clock.began {
		return p.put(l, f)
	}
	switch {
	case l == p.sound && p.sound.clock.began:
		return p.put(l, f)
	case l == p.sound:
		return p.hold(f)
	case !f.Key:
		return nil
	}
	if err := p.put(l, f); err != nil {
		return err
	}
	return p.release()
}

// hold keeps sound back until a picture comes, which it begins with. What came before a
// jump of the clock has no place beside that picture.
func (p *Packager) hold(f Frame) error {
	if n := len(p.held); n > 0 && (f.DTS-p.held[n-1].DTS > maxGap || f.DTS-p.held[n-1].DTS < -maxBack) {
		p.held, p.heldNow = nil, 0
	}
	p.held, p.heldNow = append(p.held, f), p.heldNow+len(f.Payload)
	if f.DTS-p.held[0].DTS <= patience && p.heldNow <= maxHeld && len(p.held) <= maxSamples {
		return nil
	}
	return p.release()
}

func (p *Packager) release() error {
	held := p.held
	p.held, p.heldNow = nil, 0
	for _, f := range held {
		if err := p.put(p.sound, f); err != nil {
			return err
		}
	}
	return nil
}

// Close cuts what is open and hands it over.
func (p *Packager) Close() error {
	if p.picture != nil && !p.picture.clock.began {
		if err := p.release(); err != nil {
			return err
		}
	}
	for _, l := range p.lanes {
		if err := l.cutter.Close(); err != nil {
			return err
		}
		if l.clock.began {
			p.place.Time = max(p.place.Time, duration(l.cutter.end, l.cutter.clock))
		}
	}
	if p.open {
		p.open, p.broken = false, true
		p.place.Segment++
	}
	return nil
}

// Place is where the broadcast goes on after Close. Of its tracks it knows those that it
// was told of and those that it cut.
func (p *Packager) Place() Place {
	at := p.place
	at.Heads, at.Clocks = map[string]int{}, map[string]int64{}
	maps.Copy(at.Heads, p.place.Heads)
	maps.Copy(at.Clocks, p.place.Clocks)
	for track, c := range p.cutters {
		at.Heads[track], at.Clocks[track] = c.next, c.clock
	}
	return at
}

package live

import (
	"fmt"
	"reflect"
	"time"
)

// lane is a track on its way.
type lane struct {
	track  string
	format Format
	head   Head
	cutter *Cutter
	clock  trackClock
	shown  time.Duration // when the last frame is shown
	missed time.Duration // how far the other lane has gone on since this one's last frame

	lag     time.Duration // of sound behind the picture, when its last frame came
	filling bool          // it has stopped, and silence is in its place
}

// lane makes that of a format, with the cutter of its track if there is one.
func (p *Packager) lane(f Format) (*lane, error) {
	h, err := outline(f)
	if err != nil {
		return nil, fmt.Errorf("%w (%v)", ErrFormat, err)
	}
	l := &lane{format: f, track: AudioTrack}
	if f.IsVideo() {
		l.track = p.pictureTrack(TrackName(h.Height))
	}
	if l.cutter = p.cutters[l.track]; l.cutter == nil {
		l.cutter = NewCutter(l.track, p.place, p.sink)
	}
	l.head, err = describe(f, l.cutter.clock)
	return l, err
}

// started tells whether the formats are those of now.
func (p *Packager) started(formats []Format) bool {
	if len(p.lanes) == 0 || len(formats) != len(p.lanes) {
		return false
	}
	for i, f := range formats {
		if !reflect.DeepEqual(f, p.lanes[i].format) {
			return false
		}
	}
	return true
}

// pictureTrack is the name that the picture had from the beginning of the broadcast:
// viewers stay with a track when its size changes. Others of the place are smaller ones
// that were made of it.
func (p *Packager) pictureTrack(name string) string {
	height := 0
	for track := range p.Place().Heads {
		if h := TrackHeight(track); h > height {
			name, height = track, h
		}
	}
	return name
}

// silent says that a lane gets nothing while the other does.
func (l *lane) silent() bool { return l.missed > patience }

// beside is the other lane, nil if there is none.
func (p *Packager) beside(l *lane) *lane {
	if l == p.picture {
		return p.sound
	}
	return p.picture
}

// attend sees to a lane that gets nothing while the other does: it holds nothing back.
func (p *Packager) attend(l *lane) error {
	switch {
	case l == nil || !l.silent() && !l.filling:
		return nil
	case l == p.sound:
		if err := p.fill(); err != nil {
			return err
		}
	}
	if l.clock.began && l.silent() {
		return l.cutter.settle()
	}
	return nil
}

package live

import (
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"
)

// Players that were promised sound wait for it. So where a publisher stops sending it,
// they get silence, a little behind the picture, until it comes back.

// fillBehind is how far: sound that returns must not find its place taken.
const fillBehind = 500 * time.Millisecond

// silence is a frame of nothing, and how long it is; not ok: of this format there is none.
func silence(f Format) (payload []byte, lasts time.Duration, ok bool) {
	switch f := f.(type) {
	case *codecs.MPEG4Audio:
		lasts = time.Duration(pace(f)) * time.Second / time.Duration(f.Config.SampleRate)
		switch f.Config.ChannelConfig {
		case 1: // one channel without any band, and the end
			return []byte{0x00, 0x00, 0x00, 0x07}, lasts, true
		case 2: // a pair of them
			return []byte{0x21, 0x00, 0x00, 0x00, 0x00, 0x1c}, lasts, true
		}
	case *codecs.Opus:
		return []byte{0xf8, 0xff, 0xfe}, 20 * time.Millisecond, true
	}
	return nil, 0, false
}

// fill brings sound that has stopped up to the picture.
func (p *Packager) fill() error {
	s := p.sound
	payload, lasts, ok := silence(s.format)
	if !ok {
		return nil
	}
	s.filling = true
	at, until := s.clock.last+lasts, p.picture.clock.last-s.lag-fillBehind
	if !s.clock.began {
		s.clock.shift, at = p.line.shift, max(p.start, s.clock.floor)
	}
	for ; at < until; at += lasts {
		f := Frame{DTS: at - s.clock.shift, Key: true, Payload: payload}
		if err := p.put(s, f); err != nil {
			return err
		}
	}
	return nil
}

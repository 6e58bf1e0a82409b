package intake

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h265"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// Pictures makes samples of access units of H.264 or H.265. Parameter sets leave the
// samples and become the format, as far as one of each kind can.
type Pictures struct {
	class   func(unit []byte) class
	head    int                    // of a unit, in bytes
	pack    func(sets) live.Format // nil where some are missing or cannot be read
	newest  sets
	current sets        // those of format
	format  live.Format // nil before the first key frame with parameter sets
	units   [][]byte    // kept for the next picture
}

// sets are parameter sets: of the video, which H.264 has not, the sequence, the picture.
type sets [3][]byte

// H264 reads pictures of H.264.
func H264() *Pictures {
	return &Pictures{class: classH264, head: 1, pack: func(s sets) live.Format {
		var read h264.SPS
		if s[1] == nil || s[2] == nil || read.Unmarshal(s[1]) != nil {
			return nil
		}
		return &codecs.H264{SPS: s[1], PPS: s[2]}
	}}
}

// H265 reads pictures of H.265.
func H265() *Pictures {
	return &Pictures{class: classH265, head: 2, pack: func(s sets) live.Format {
		var read h265.SPS
		if s[0] == nil || s[1] == nil || s[2] == nil || read.Unmarshal(s[1]) != nil {
			return nil
		}
		return &codecs.H265{VPS: s[0], SPS: s[1], PPS: s[2]}
	}}
}

// Configure takes the parameter sets that come before pictures; H.264 has no vps. The
// first ones are the format at once, later ones with the next key frame.
func (p *Pictures) Configure(vps, sps, pps []byte) (live.Format, error) {
	given := sets{vps, sps, pps}
	format := p.pack(given)
	if format == nil {
		return nil, fmt.Errorf("%w (the parameter sets of the picture cannot be read)", live.ErrFormat)
	}
	p.newest = given
	if p.format == nil {
		p.current, p.format = given, format
	}
	return p.format, nil
}

// Read makes a sample of the NAL units of a picture, whose list it uses up. The payload
// is nil where they show nothing; the format changes only with a key frame, and is nil
// before the first.
func (p *Pictures) Read(units [][]byte) (payload []byte, key bool, format live.Format) {
	units, key = p.take(units, false)
	return join(units), key, p.format
}

// ReadSized does the same for units behind their lengths, of 1 to 4 bytes; what is
// broken ends the picture. The payload may be a part of b. Encoders call pictures key
// that H.264 does not: they are believed if the picture itself says that decoding can
// begin there.
func (p *Pictures) ReadSized(b []byte, length int, called bool) (payload []byte, key bool, format live.Format) {
	whole := 0
	p.units, whole = splitSized(p.units[:0], b, length)
	units, key := p.take(p.units, called)
	if length == 4 && sizeOf(units) == whole {
		return b[:whole], key, p.format // nothing was taken out
	}
	return join(units), key, p.format
}

// take keeps the parameter sets of a picture and leaves the units of its sample: none
// where nothing is shown.
func (p *Pictures) take(units [][]byte, called bool) (left [][]byte, key bool) {
	shown, recovers := false, false
	for _, unit := range units {
		switch p.classOf(unit) {
		case keySlice:
			key, shown = true, true
		case slice:
			shown = true
		case information:
			recovers = recovers || called && hasRecovery(unit[p.head:])
		}
	}
	key = key || shown && recovers
	left = p.keep(units, shown && !key)
	if key {
		p.renew()
	}
	if !shown {
		return nil, false
	}
	return left, key
}

func (p *Pictures) classOf(unit []byte) class {
	if len(unit) < p.head {
		return unwanted
	}
	return p.class(unit)
}

// renew makes a format of the newest parameter sets, if they differ from the current.
// Those that cannot be read came broken: they are as if they had not come.
func (p *Pictures) renew() {
	if slices.EqualFunc(p.newest[:], p.current[:], bytes.Equal) {
		return
	}
	if format := p.pack(p.newest); format != nil {
		p.current, p.format = p.newest, format
	}
}

package mpegts

import (
	"bytes"
	"errors"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/opus"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mpegts/substructs"

	"stoa/video/internal/intake"
	"stoa/video/internal/live"
)

// soundDecoder finds frames of sound, which need not begin where PES packets do.
type soundDecoder struct {
	sync   byte // what frames begin with
	read   func(b []byte) (soundFrame, error)
	carry  []byte        // begins a frame that the next PES packet ends
	next   time.Duration // when the next frame is heard
	timed  bool          // next is known
	heard  bool          // a frame has been taken
	strays int           // frames that cannot be broadcast, before the first that can
}

// soundFrame is a frame with its head.
type soundFrame struct {
	size     int // of all its bytes
	format   live.Format
	payloads [][]byte // without heads; often one
	length   time.Duration
}

var (
	errShort = errors.New("the frame goes on")
	errStray = errors.New("here is no frame")
)

// Sound that begins with so many frames that cannot be broadcast is none that can.
const maxStrays = 16

func newSoundDecoder(k kind) decoder {
	switch k {
	case opusMono, opusStereo:
		return &opusDecoder{format: &codecs.Opus{ChannelCount: int(k-opusMono) + 1}}
	case latm:
		return &soundDecoder{sync: 0x56, read: new(latmFrames).read}
	case mp3:
		return &soundDecoder{sync: 0xff, read: headedFrames{new(intake.MP3).Read, 5}.read}
	case dolby:
		return &soundDecoder{sync: 0x0b, read: headedFrames{new(intake.AC3).Read, 16}.read}
	}
	return &soundDecoder{sync: 0xff, read: new(adtsFrames).read}
}

func (d *soundDecoder) decode(r *Reader, at *moment, payload []byte) error {
	carried := len(d.carry)
	b := append(d.carry, payload...)
	d.carry = nil
	for pos := 0; pos < len(b); {
		f, err := d.frame(b[pos:])
		if errors.Is(err, errStray) {
			if !d.heard && b[pos] == d.sync {
				if d.strays++; d.strays >= maxStrays {
					return live.ErrFormat
				}
			}
			pos++
			continue
		}
		if pos >= carried && at != nil { // the time is that of the first frame that begins here
			d.next, d.timed, at = at.pts, true, nil
		}
		if errors.Is(err, errShort) {
			d.carry = bytes.Clone(b[pos:])
			return nil
		}
		if err := d.emit(r, f); err != nil {
			return err
		}
		pos += f.size
	}
	return nil
}

// frame reads the frame that begins here, if the next begins behind it.
func (d *soundDecoder) frame(b []byte) (soundFrame, error) {
	if b[0] != d.sync {
		return soundFrame{}, errStray
	}
	f, err := d.read(b)
	if err != nil {
		return f, err
	}
	if f.size > len(b) {
		return f, errShort
	}
	if f.size < len(b) && b[f.size] != d.sync {
		return f, errStray
	}
	return f, nil
}

func (d *soundDecoder) emit(r *Reader, f soundFrame) error {
	d.heard = true
	for _, p := range f.payloads {
		if d.timed {
			if err := r.intake.Sound(f.format, live.Frame{DTS: d.next, PTS: d.next, Payload: bytes.Clone(p)}); err != nil {
				return err
			}
		}
		d.next += f.length
	}
	return nil
}

// opusDecoder reads packets of Opus, each behind a head with its size.
type opusDecoder struct{ format live.Format }

func (d *opusDecoder) decode(r *Reader, at *moment, payload []byte) error {
	if at == nil {
		return nil
	}
	for when := at.pts; len(payload) > 0; {
		var unit substructs.OpusAccessUnit
		size, err := unit.Unmarshal(payload)
		if err != nil || len(unit.Packet) == 0 {
			return nil
		}
		frame := live.Frame{DTS: when, PTS: when, Payload: bytes.Clone(unit.Packet)}
		if err := r.intake.Sound(d.format, frame); err != nil {
			return err
		}
		when += samples(opus.PacketDuration2(unit.Packet), 48000)
		payload = payload[size:]
	}
	return nil
}

func samples(n int64, rate int) time.Duration {
	return time.Duration(n) * time.Second / time.Duration(rate)
}

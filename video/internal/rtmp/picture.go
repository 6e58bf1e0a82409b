package rtmp

import (
	"bytes"
	"fmt"
	"time"

	"stoa/video/internal/intake"
	"stoa/video/internal/live"
)

// Codecs, as enhanced RTMP names them.
const (
	codecH264 = "avc1"
	codecH265 = "hvc1"
	codecAV1  = "av01"
	codecVP9  = "vp09"
	codecAAC  = "mp4a"
	codecMP3  = ".mp3"
	codecOpus = "Opus"
	codecAC3  = "ac-3"
	codecFLAC = "fLaC"
)

var codecNames = [...]string{codecH264, codecH265, codecAV1, codecVP9, codecAAC, codecMP3, codecOpus, codecAC3, codecFLAC}

// Packets of enhanced RTMP.
const (
	packetConfig     = 0
	packetFrames     = 1
	packetEnd        = 2
	packetFramesX    = 3 // pictures that are shown when they are decoded
	packetMultitrack = 6 // of pictures
	packetMultisound = 5 // of sound
)

// picture reads the tags of pictures.
type picture struct {
	format live.Format // nil until it is known
	codec  string
	config []byte // as it last came
	units  *intake.Pictures
	length int // of the length before each unit, in bytes
}

// shot is one picture.
type shot struct {
	payload []byte // empty: none
	offset  time.Duration
	key     bool
}

// tag is what stands before the data of a picture or of sound.
type tag struct {
	codec  string // empty: to be passed over
	packet byte
	key    bool
	offset time.Duration // from decoding to showing
	data   []byte
}

// read takes the picture out of a message, whose bytes it uses up.
func (p *picture) read(body []byte) (shot, error) {
	t, err := readPictureTag(body)
	if err != nil || t.codec == "" {
		return shot{}, err
	}
	switch t.packet {
	case packetConfig:
		return shot{}, p.configure(t)
	case packetFrames, packetFramesX:
		if t.codec != p.codec || len(t.data) == 0 {
			return shot{}, nil
		}
		return p.readFrame(t), nil
	}
	return shot{}, nil
}

// readPictureTag reads the header of a message.
func readPictureTag(b []byte) (tag, error) {
	const command = 5 // for a player, no picture
	if len(b) < 5 {
		return tag{}, nil // some encoders end with an empty one
	}
	if b[0]&0x80 != 0 {
		t := readEnhancedTag(b, b[0]&15, packetMultitrack)
		switch t.key = b[0]>>4&7 == 1; {
		case b[0]>>4&7 == command:
			return tag{}, nil
		case t.packet == packetFrames && (t.codec == codecH264 || t.codec == codecH265):
			if len(t.data) < 3 {
				return tag{}, nil
			}
			t.offset, t.data = composition(t.data), t.data[3:]
		}
		return t, nil
	}
	t := tag{packet: b[1], key: b[0]>>4 == 1, offset: composition(b[2:]), data: b[5:]}
	switch codec := b[0] & 15; {
	case b[0]>>4 == command || t.packet > packetEnd:
		return tag{}, nil
	case codec == 7:
		t.codec = codecH264
	case codec == 12: // never official, but common
		t.codec = codecH265
	default:
		return tag{}, fmt.Errorf("%w (picture of kind %d)", live.ErrFormat, codec)
	}
	return t, nil
}

// readEnhancedTag reads what follows the first byte. Of several tracks the one with
// number 0 is taken.
func readEnhancedTag(b []byte, packet, multi byte) tag {
	if packet != multi {
		return tag{codec: codecName(b[1:5]), packet: packet, data: b[5:]}
	}
	if len(b) < 7 || b[1]>>4 != 0 || b[6] != 0 {
		return tag{}
	}
	return tag{codec: codecName(b[2:6]), packet: b[1] & 15, data: b[7:]}
}

// codecName is a name without a copy of it for each message.
func codecName(b []byte) string {
	for _, name := range codecNames {
		if string(b) == name {
			return name
		}
	}
	return string(b)
}

// composition is a time of 24 bits with a sign.
func composition(b []byte) time.Duration {
	return time.Duration(int32(uint24(b)<<8)>>8) * time.Millisecond
}

// configure takes over what is needed to decode, if it is new.
func (p *picture) configure(t tag) error {
	if t.codec == p.codec && bytes.Equal(t.data, p.config) {
		return nil
	}
	switch t.codec {
	case codecH264, codecH265:
		if whole, err := p.configureUnits(t); err != nil || !whole {
			return err // empty, or broken: a whole one follows
		}
	case codecAV1, codecVP9: // their key frames say it too, or only they
		if t.codec != p.codec {
			p.format = nil
		}
		if t.codec == codecAV1 {
			p.configureAV1(t.data)
		}
	default:
		return fmt.Errorf("%w (picture of kind %q)", live.ErrFormat, t.codec)
	}
	p.codec, p.config = t.codec, bytes.Clone(t.data)
	return nil
}

// configureUnits takes the parameter sets of H.264 or H.265 over, if all are there.
func (p *picture) configureUnits(t tag) (whole bool, err error) {
	read, begin := readAVC, intake.H264
	if t.codec == codecH265 {
		read, begin = readHEVC, intake.H265
	}
	found, whole := read(t.data)
	if !whole {
		return false, nil
	}
	if p.units == nil || t.codec != p.codec {
		p.units = begin()
	}
	p.length = found.length
	p.format, err = p.units.Configure(found.vps, found.sps, found.pps)
	return true, err
}

func (p *picture) readFrame(t tag) shot {
	s := shot{offset: t.offset}
	switch p.codec {
	case codecH264, codecH265:
		s.payload, s.key, p.format = p.units.ReadSized(t.data, p.length, t.key)
	case codecAV1:
		s.payload, s.key = p.readAV1(t.data)
	case codecVP9:
		s.payload, s.key = t.data, p.readVP9(t.data)
	}
	return s
}

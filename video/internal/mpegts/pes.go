package mpegts

import (
	"encoding/binary"
	"time"
)

// A picture, and what comes of sound at once, is at most so large.
const (
	maxPicture = 8 << 20
	maxSound   = 256 << 10
)

// stream puts the packets of one picture or sound track together.
type stream struct {
	pid     uint16
	kind    kind
	counter counter
	bytes   []byte // of a PES packet that has begun; its head is not cut off yet
	begun   bool
	size    int // of the PES packet; 0: until the next begins
	limit   int // of its size
	decoder decoder
}

// decoder makes frames of what PES packets carry.
type decoder interface {
	// decode takes the payload of a PES packet; at is nil where it does not say its time.
	decode(r *Reader, at *moment, payload []byte) error
}

func newStream(pid uint16, k kind) *stream {
	if k.isPicture() {
		return &stream{pid: pid, kind: k, limit: maxPicture, decoder: newPictureDecoder(k)}
	}
	return &stream{pid: pid, kind: k, limit: maxSound, decoder: newSoundDecoder(k)}
}

func (s *stream) take(r *Reader, p payload) error {
	again, lost := s.counter.next(p)
	if again {
		return nil
	}
	if lost {
		s.begun = false
	}
	if p.begins {
		if err := s.finish(r); err != nil {
			return err
		}
		s.begun, s.size = true, 0
		if len(p.bytes) >= 6 {
			if length := int(binary.BigEndian.Uint16(p.bytes[4:])); length > 0 {
				s.size = 6 + length
			}
		}
	}
	if !s.begun {
		return nil
	}
	if len(s.bytes)+len(p.bytes) > s.limit {
		s.begun, s.bytes = false, nil
		return nil
	}
	s.bytes = append(s.bytes, p.bytes...)
	if s.size > 0 && len(s.bytes) >= s.size {
		s.bytes = s.bytes[:s.size]
		return s.finish(r)
	}
	return nil
}

// finish decodes the PES packet that has begun, if it has.
func (s *stream) finish(r *Reader) error {
	b, begun := s.bytes, s.begun
	s.bytes, s.begun = s.bytes[:0], false
	if !begun || len(b) < 9 || b[0] != 0 || b[1] != 0 || b[2] != 1 || b[6]&0xc0 != 0x80 {
		return nil
	}
	if s.size > len(b) { // the end is missing
		return nil
	}
	head := 9 + int(b[8])
	if len(b) < head {
		return nil
	}
	return s.decoder.decode(r, r.clock.read(b[7]>>6, b[9:head]), b[head:])
}

// moment is when a frame is decoded and shown.
type moment struct{ dts, pts time.Duration }

// clock makes times that go on out of those in a stream, which have 33 bits and begin
// again after a day. All streams of a program share it.
type clock struct {
	last  int64 // units of 1/90000 s
	known bool
}

// read takes the times from the head of a PES packet. present has a bit for the time of
// showing and one for that of decoding.
func (c *clock) read(present byte, b []byte) *moment {
	if present&2 == 0 || len(b) < 5 {
		return nil
	}
	pts := timestamp(b)
	dts := pts
	if present&1 != 0 && len(b) >= 10 {
		dts = timestamp(b[5:])
	}
	if !c.known {
		c.last, c.known = dts, true
	}
	c.last += short(dts - c.last)
	ahead := short(pts - dts)
	if ahead < 0 || ahead > 10*90000 {
		ahead = 0
	}
	return &moment{dts: duration(c.last), pts: duration(c.last + ahead)}
}

func timestamp(b []byte) int64 {
	return int64(b[0]>>1&7)<<30 | int64(b[1])<<22 | int64(b[2]>>1)<<15 | int64(b[3])<<7 | int64(b[4]>>1)
}

// short is the nearest difference of two times of 33 bits.
func short(d int64) int64 { return d << 31 >> 31 }

// duration does not overflow, as the product alone does after 28 hours.
func duration(t int64) time.Duration {
	return time.Duration(t/90000)*time.Second + time.Duration(t%90000)*time.Second/90000
}

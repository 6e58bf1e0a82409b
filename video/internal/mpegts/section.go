package mpegts

import (
	"encoding/binary"
)

// A section is at most so long. Those that name programs and their streams are shorter.
const maxSection = 4096

// section puts the sections of one stream of packets together.
type section struct {
	counter counter
	bytes   []byte // of a section that has begun
	begun   bool
}

// take gives each section that ends with the packet and is not broken to read.
func (s *section) take(p payload, read func([]byte) error) error {
	again, lost := s.counter.next(p)
	if again {
		return nil
	}
	if lost {
		s.begun = false
	}
	if !p.begins {
		return s.add(p.bytes, read)
	}
	if len(p.bytes) == 0 || int(p.bytes[0]) >= len(p.bytes) {
		s.begun = false
		return nil
	}
	pointer := int(p.bytes[0])
	if err := s.add(p.bytes[1:1+pointer], read); err != nil {
		return err
	}
	s.bytes, s.begun = s.bytes[:0], true
	return s.add(p.bytes[1+pointer:], read)
}

func (s *section) add(b []byte, read func([]byte) error) error {
	if !s.begun {
		return nil
	}
	s.bytes = append(s.bytes, b...)
	for len(s.bytes) >= 3 {
		size := 3 + int(binary.BigEndian.Uint16(s.bytes[1:])&0x0fff)
		if s.bytes[0] == 0xff || size > maxSection { // the rest only fills
			s.begun = false
			return nil
		}
		if len(s.bytes) < size {
			return nil
		}
		if whole := s.bytes[:size]; checksum(whole) == 0 {
			if err := read(whole); err != nil {
				return err
			}
		}
		s.bytes = append(s.bytes[:0], s.bytes[size:]...)
	}
	return nil
}

// checksum is the CRC of MPEG-2; over a section with its own it is 0.
func checksum(b []byte) uint32 {
	sum := ^uint32(0)
	for _, c := range b {
		sum ^= uint32(c) << 24
		for range 8 {
			carry := sum >> 31
			sum = sum<<1 ^ carry*0x04c11db7
		}
	}
	return sum
}

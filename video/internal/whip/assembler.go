package whip

import (
	"encoding/binary"

	"github.com/pion/rtp"
)

// A picture is at most so large, and has at most so many NAL units.
const (
	maxPicture = 8 << 20
	maxUnits   = 4096
)

// Kinds of packets of RFC 6184; smaller numbers are NAL units as they are.
const (
	several  = 24
	fragment = 28
)

// assembler puts the NAL units of pictures together. Packets come in order.
type assembler struct {
	units   [][]byte
	part    []byte // of a unit that comes in fragments
	begun   bool   // part is one
	size    int
	time    uint32
	broken  bool // something of the picture is missing
	pending bool // something of it has come
}

// push takes a packet and answers the units of a picture that ends with it, or that
// ended before it without saying so; nil: none, or none that is whole.
func (a *assembler) push(p *rtp.Packet, lost bool) (units [][]byte, at uint32) {
	a.broken = a.broken || lost
	if a.pending && p.Timestamp != a.time {
		units, at = a.finish()
		a.broken = lost // what is missing may be of either
	}
	if len(p.Payload) == 0 {
		return units, at
	}
	a.time, a.pending = p.Timestamp, true
	a.add(p.Payload)
	if p.Marker {
		if ended, time := a.finish(); ended != nil {
			return ended, time // one without an end before it is given up
		}
	}
	return units, at
}

func (a *assembler) finish() ([][]byte, uint32) {
	units, at := a.units, a.time
	if a.broken || a.begun || len(units) == 0 {
		units = nil
	}
	*a = assembler{}
	return units, at
}

func (a *assembler) add(b []byte) {
	a.size += len(b)
	if a.size > maxPicture || len(a.units) > maxUnits {
		a.units, a.part, a.broken = nil, nil, true
	}
	if a.broken {
		return
	}
	switch kind := b[0] & 0x1f; {
	case kind > 0 && kind < several:
		a.units = append(a.units, b)
	case kind == several:
		for b = b[1:]; len(b) > 2; {
			size := int(binary.BigEndian.Uint16(b))
			if size == 0 || size > len(b)-2 {
				a.broken = true
				return
			}
			a.units = append(a.units, b[2:2+size])
			b = b[2+size:]
		}
	case kind == fragment && len(b) > 2:
		a.addFragment(b)
	}
}

func (a *assembler) addFragment(b []byte) {
	first, last := b[1]&0x80 != 0, b[1]&0x40 != 0
	if first == a.begun { // the beginning of it is missing, or the end of the one before
		a.broken = true
		return
	}
	if first {
		a.part, a.begun = []byte{b[0]&0xe0 | b[1]&0x1f}, true
	}
	a.part = append(a.part, b[2:]...)
	if last {
		a.units = append(a.units, a.part)
		a.part, a.begun = nil, false
	}
}

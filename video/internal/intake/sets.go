package intake

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// keep takes the parameter sets over and leaves the other units of a picture, in place.
// A set for pictures stays where it is if the format has no place for it: one with
// another number than that of the format, and one that comes between key frames.
func (p *Pictures) keep(units [][]byte, between bool) (left [][]byte) {
	var seen [3]bool
	fresh := false // the sequence is another: so may be the numbers
	left = units[:0]
	for _, unit := range units {
		c := p.classOf(unit)
		n := c - videoSet
		switch c {
		case videoSet, sequenceSet:
			if !seen[n] && !bytes.Equal(p.newest[n], unit) {
				p.newest[n], fresh = bytes.Clone(unit), true
			}
			seen[n] = true
			continue
		case pictureSet:
			if !bytes.Equal(p.newest[n], unit) {
				if seen[n] || !fresh && p.newest[n] != nil && p.number(p.newest[n]) != p.number(unit) {
					break
				}
				p.newest[n] = bytes.Clone(unit)
			}
			seen[n] = true
			if between && !bytes.Equal(unit, p.current[n]) {
				break
			}
			continue
		case unwanted:
			continue
		}
		left = append(left, unit)
	}
	return left
}

// number is that of a set for pictures, which it begins with (in Exp-Golomb code).
func (p *Pictures) number(set []byte) int {
	var first [4]byte
	copy(first[:], set[min(p.head, len(set)):])
	v := binary.BigEndian.Uint32(first[:])
	zeros := bits.LeadingZeros32(v)
	if zeros > 8 {
		return -1 // there are 256
	}
	return int(v>>(31-2*zeros)) - 1
}

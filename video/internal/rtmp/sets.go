package rtmp

import (
	"bytes"
	"encoding/binary"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h265"
)

// sets are the parameter sets of H.264 or H.265 that come before the pictures, the first
// of each kind.
type sets struct {
	vps, sps, pps []byte
	length        int // of the length before each unit, in bytes
}

// readAVC takes the sets of an AVCDecoderConfigurationRecord, and tells whether it had
// any.
func readAVC(b []byte) (found sets, whole bool) {
	if len(b) < 7 {
		return sets{}, false
	}
	found.length = int(b[4]&3) + 1
	b, count := b[6:], int(b[5]&31)
	for range count {
		if found.sps, b = firstOf(found.sps, b); b == nil {
			return sets{}, false
		}
	}
	if len(b) == 0 {
		return sets{}, false
	}
	b, count = b[1:], int(b[0])
	for range count {
		if found.pps, b = firstOf(found.pps, b); b == nil {
			return sets{}, false
		}
	}
	return found, len(found.sps) > 3 && len(found.pps) > 1
}

// readHEVC does the same for an HEVCDecoderConfigurationRecord.
func readHEVC(b []byte) (found sets, whole bool) {
	if len(b) < 23 {
		return sets{}, false
	}
	found.length = int(b[21]&3) + 1
	kinds := int(b[22])
	b = b[23:]
	for range kinds {
		if len(b) < 3 {
			return sets{}, false
		}
		into, count := found.slot(h265.NALUType(b[0]&63)), int(binary.BigEndian.Uint16(b[1:]))
		b = b[3:]
		for range count {
			if *into, b = firstOf(*into, b); b == nil {
				return sets{}, false
			}
		}
	}
	return found, len(found.vps) > 2 && len(found.sps) > 2 && len(found.pps) > 2
}

// slot is where sets of a kind are kept; of others, nowhere.
func (s *sets) slot(kind h265.NALUType) *[]byte {
	switch kind {
	case h265.NALUType_VPS_NUT:
		return &s.vps
	case h265.NALUType_SPS_NUT:
		return &s.sps
	case h265.NALUType_PPS_NUT:
		return &s.pps
	}
	return new([]byte)
}

// firstOf cuts a set off, and keeps it if there is none yet. The rest is nil if it is
// broken.
func firstOf(have, b []byte) (set, rest []byte) {
	if len(b) < 2 || len(b)-2 < int(binary.BigEndian.Uint16(b)) {
		return have, nil
	}
	n := int(binary.BigEndian.Uint16(b)) + 2
	if have == nil {
		have = bytes.Clone(b[2:n])
	}
	return have, b[n:]
}

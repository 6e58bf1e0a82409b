package intake

import (
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h265"
)

// class says what a NAL unit is for.
type class int

const (
	slice class = iota
	keySlice
	videoSet // and the other two, in the order of sets
	sequenceSet
	pictureSet
	information // may say that decoding can begin here
	unwanted    // marks where units begin and end, or only fills
	other
)

// classH264 looks at the first byte of a unit.
func classH264(unit []byte) class {
	switch h264.NALUType(unit[0] & 0x1f) {
	case h264.NALUTypeIDR:
		return keySlice
	case h264.NALUTypeNonIDR, h264.NALUTypeDataPartitionA, h264.NALUTypeDataPartitionB, h264.NALUTypeDataPartitionC:
		return slice
	case h264.NALUTypeSPS:
		return sequenceSet
	case h264.NALUTypePPS:
		return pictureSet
	case h264.NALUTypeSEI:
		return information
	case h264.NALUTypeAccessUnitDelimiter, h264.NALUTypeFillerData,
		h264.NALUTypeEndOfSequence, h264.NALUTypeEndOfStream:
		return unwanted
	}
	return other
}

// classH265 does the same.
func classH265(unit []byte) class {
	switch kind := h265.NALUType(unit[0] >> 1 & 0x3f); kind {
	case h265.NALUType_VPS_NUT:
		return videoSet
	case h265.NALUType_SPS_NUT:
		return sequenceSet
	case h265.NALUType_PPS_NUT:
		return pictureSet
	case h265.NALUType_AUD_NUT, h265.NALUType_EOS_NUT, h265.NALUType_EOB_NUT, h265.NALUType_FD_NUT:
		return unwanted
	default:
		switch {
		case kind >= h265.NALUType_BLA_W_LP && kind <= h265.NALUType_CRA_NUT:
			return keySlice
		case kind < h265.NALUType_BLA_W_LP:
			return slice
		}
		return other
	}
}

package live

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/av1"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h265"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4/seekablebuffer"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/encode"
)

// pictureClock is that of all pictures.
const pictureClock = 90_000

// maxSide is that of the largest picture that is taken.
const maxSide = 8192

// TrackName is that of a picture of some height: the usual one that is not above it.
func TrackName(height int) string {
	for _, usual := range []int{2160, 1080, 720, 480, 360} {
		if height >= usual {
			return strconv.Itoa(usual) + "p"
		}
	}
	return "240p"
}

// AudioTrack is the name of the track of sound.
const AudioTrack = encode.AudioTrack

// TrackHeight is the number in the name of a track of pictures, 0 for another.
func TrackHeight(name string) int {
	height, _ := strconv.Atoi(strings.TrimSuffix(name, "p"))
	return height
}

// NewHead makes the head of a track by itself. What cannot be packed, or is damaged, is
// ErrFormat.
func NewHead(f Format) (Head, error) { return describe(f, 0) }

// describe is NewHead with another clock than the usual one of the format, unless it is
// 0.
func describe(f Format, clock int64) (Head, error) {
	h, err := outline(f)
	if err != nil {
		return Head{}, fmt.Errorf("%w (%v)", ErrFormat, err)
	}
	h.Clock = cmp.Or(clock, h.Clock)
	file := fmp4.Init{Tracks: []*fmp4.InitTrack{{ID: trackID, TimeScale: uint32(h.Clock), Codec: f}}}
	var b seekablebuffer.Buffer
	if err := file.Marshal(&b); err != nil {
		return Head{}, fmt.Errorf("%w (%v)", ErrFormat, err)
	}
	h.Bytes = bytes.Clone(b.Bytes())
	return h, nil
}

// outline is a head without its bytes.
func outline(f Format) (Head, error) {
	if f == nil {
		return Head{}, fmt.Errorf("no format")
	}
	if !f.IsVideo() {
		return sound(f)
	}
	h, err := picture(f)
	if err == nil && (h.Width < 1 || h.Height < 1 || h.Width > maxSide || h.Height > maxSide) {
		err = fmt.Errorf("a picture of %d x %d", h.Width, h.Height)
	}
	h.Clock = pictureClock
	return h, err
}

func picture(f Format) (Head, error) {
	switch f := f.(type) {
	case *codecs.H264:
		var sps h264.SPS
		if err := sps.Unmarshal(f.SPS); err != nil || len(f.PPS) == 0 {
			return Head{}, fmt.Errorf("H.264 parameters: %v", err)
		}
		return Head{Codec: fmt.Sprintf("avc1.%x", f.SPS[1:4]), Width: sps.Width(), Height: sps.Height()}, nil
	case *codecs.H265:
		var sps h265.SPS
		if err := sps.Unmarshal(f.SPS); err != nil {
			return Head{}, fmt.Errorf("H.265 parameters: %w", err)
		}
		return Head{Codec: codecH265(sps.ProfileTierLevel), Width: sps.Width(), Height: sps.Height()}, nil
	case *codecs.AV1:
		var header av1.SequenceHeader
		if err := header.Unmarshal(f.SequenceHeader); err != nil {
			return Head{}, fmt.Errorf("AV1 parameters: %w", err)
		}
		return Head{Codec: codecAV1(header), Width: header.Width(), Height: header.Height()}, nil
	case *codecs.VP9:
		return Head{Codec: fmt.Sprintf("vp09.%02d.10.%02d", f.Profile, f.BitDepth), Width: f.Width, Height: f.Height}, nil
	}
	return Head{}, fmt.Errorf("a picture as %T", f)
}

func sound(f Format) (Head, error) {
	var h Head
	switch f := f.(type) {
	case *codecs.MPEG4Audio:
		h.Codec, h.Clock = fmt.Sprintf("mp4a.40.%d", cmp.Or(f.Config.ExtensionType, f.Config.Type)), int64(f.Config.SampleRate)
	case *codecs.MPEG1Audio:
		h.Codec, h.Clock = "mp4a.6B", int64(f.SampleRate)
	case *codecs.Opus:
		h.Codec, h.Clock = "opus", 48_000
	case *codecs.AC3:
		h.Codec, h.Clock = "ac-3", int64(f.SampleRate)
	case *codecs.EAC3:
		h.Codec, h.Clock = "ec-3", int64(f.SampleRate)
	case *codecs.FLAC:
		if f.StreamInfo != nil {
			h.Codec, h.Clock = "fLaC", int64(f.StreamInfo.SampleRate)
		}
	}
	if h.Codec == "" || h.Clock < 4_000 || h.Clock > 192_000 {
		return h, fmt.Errorf("sound as %T of %d samples a second", f, h.Clock)
	}
	return h, nil
}

// pace is how many samples a frame of sound has, where that never changes; else 0.
func pace(f Format) int64 {
	switch f := f.(type) {
	case *codecs.MPEG4Audio:
		if f.Config.FrameLengthFlag {
			return 960
		}
		return 1024
	case *codecs.MPEG1Audio:
		if f.SampleRate < 32_000 {
			return 576
		}
		return 1152
	case *codecs.AC3:
		return 1536
	}
	return 0
}

// codecH265 is as ISO/IEC 14496-15, E.3 has it. The constraint bytes end with the last
// that is not 0.
func codecH265(p h265.SPS_ProfileTierLevel) string {
	var compatible uint32
	for i, set := range p.GeneralProfileCompatibilityFlag {
		if set {
			compatible |= 1 << i // the bits in reverse, as the format wants them
		}
	}
	tier := "L"
	if p.GeneralTierFlag != 0 {
		tier = "H"
	}
	var constraints byte
	for i, set := range []bool{p.GeneralProgressiveSourceFlag, p.GeneralInterlacedSourceFlag,
		p.GeneralNonPackedConstraintFlag, p.GeneralFrameOnlyConstraintFlag} {
		if set {
			constraints |= 0x80 >> i
		}
	}
	codec := fmt.Sprintf("hvc1.%d.%X.%s%d", p.GeneralProfileIdc, compatible, tier, p.GeneralLevelIdc)
	if constraints != 0 {
		codec += fmt.Sprintf(".%X", constraints)
	}
	return codec
}

func codecAV1(h av1.SequenceHeader) string {
	level, tier, depth := uint8(0), "M", 8
	if len(h.SeqLevelIdx) > 0 {
		level = h.SeqLevelIdx[0]
	}
	if len(h.SeqTier) > 0 && h.SeqTier[0] {
		tier = "H"
	}
	if h.ColorConfig.BitDepth > 0 {
		depth = h.ColorConfig.BitDepth
	}
	return fmt.Sprintf("av01.%d.%02d%s.%02d", h.SeqProfile, level, tier, depth)
}

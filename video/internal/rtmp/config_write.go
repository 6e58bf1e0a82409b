package rtmp

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/bluenviron/gortmplib/pkg/amf0"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/av1"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h265"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

var errSets = errors.New("the parameter sets of the picture are too short")

// configTag is the tag that tells of a format, in two pieces. It has no head where there
// is nothing to tell.
func configTag(format live.Format) (kind byte, head, config []byte, err error) {
	const key = 1 << 4
	switch f := format.(type) {
	case *codecs.H264:
		config, err = avcConfig(f)
		return kindPicture, []byte{key | 7, packetConfig, 0, 0, 0}, config, err
	case *codecs.H265:
		config, err = hevcConfig(f)
		return kindPicture, enhanced(key|0x80|packetConfig, codecH265), config, err
	case *codecs.AV1:
		config, err = av1Config(f)
		return kindPicture, enhanced(key|0x80|packetConfig, codecAV1), config, err
	case *codecs.VP9:
		return kindPicture, enhanced(key|0x80|packetConfig, codecVP9), vp9Config(f), nil
	case *codecs.MPEG4Audio:
		config, err = f.Config.Marshal()
		return kindSound, []byte{aacFirst, packetConfig}, config, err
	case *codecs.Opus:
		return kindSound, enhanced(soundFirst|packetConfig, codecOpus), opusConfig(f), nil
	case *codecs.AC3:
		return kindSound, enhanced(soundFirst|packetConfig, codecAC3), nil, nil
	case *codecs.FLAC:
		config, err = f.StreamInfo.Marshal()
		mark := []byte{'f', 'L', 'a', 'C', 0x80, 0, 0, byte(len(config))}
		return kindSound, enhanced(soundFirst|packetConfig, codecFLAC), append(mark, config...), err
	case *codecs.MPEG1Audio:
		return kindSound, nil, nil, nil
	}
	return 0, nil, nil, fmt.Errorf("%T cannot be sent by RTMP", format)
}

func avcConfig(f *codecs.H264) ([]byte, error) {
	if len(f.SPS) < 4 {
		return nil, errSets
	}
	b := []byte{1, f.SPS[1], f.SPS[2], f.SPS[3], 0xff, 0xe1}
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(f.SPS))), f.SPS...)
	b = append(b, 1)
	return append(binary.BigEndian.AppendUint16(b, uint16(len(f.PPS))), f.PPS...), nil
}

func hevcConfig(f *codecs.H265) ([]byte, error) {
	var sps h265.SPS
	if err := sps.Unmarshal(f.SPS); err != nil {
		return nil, err
	}
	clean := h264.EmulationPreventionRemove(f.SPS)
	if len(clean) < 15 {
		return nil, errSets
	}
	b := make([]byte, 23)
	b[0] = 1
	copy(b[1:], clean[3:15]) // profile, compatibility, constraints, level
	b[13] = 0xf0
	b[15] = 0xfc
	b[16] = 0xfc | byte(sps.ChromaFormatIdc)
	b[17] = 0xf8 | byte(sps.BitDepthLumaMinus8)
	b[18] = 0xf8 | byte(sps.BitDepthChromaMinus8)
	b[21] = 1<<3 | 3 // one layer, lengths of four bytes
	b[22] = 3
	for kind, set := range [][]byte{f.VPS, f.SPS, f.PPS} {
		b = append(b, 0x80|byte(h265.NALUType_VPS_NUT)+byte(kind), 0, 1)
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(set))), set...)
	}
	return b, nil
}

func av1Config(f *codecs.AV1) ([]byte, error) {
	var h av1.SequenceHeader
	if err := h.Unmarshal(f.SequenceHeader); err != nil {
		return nil, err
	}
	units, err := av1.Bitstream{f.SequenceHeader}.Marshal()
	if err != nil || len(h.SeqLevelIdx) == 0 || len(h.SeqTier) == 0 {
		return nil, errors.Join(errSets, err)
	}
	b := []byte{0x81, h.SeqProfile<<5 | h.SeqLevelIdx[0]&31, 0, 0}
	for bit, set := range map[int]bool{
		7: h.SeqTier[0], 6: h.ColorConfig.HighBitDepth, 5: h.ColorConfig.TwelveBit, 4: h.ColorConfig.MonoChrome,
		3: h.ColorConfig.SubsamplingX, 2: h.ColorConfig.SubsamplingY,
	} {
		if set {
			b[2] |= 1 << bit
		}
	}
	return append(b, units...), nil
}

func vp9Config(f *codecs.VP9) []byte {
	const level, unknown = 40, 2
	flags := f.BitDepth<<4 | f.ChromaSubsampling<<1
	if f.ColorRange {
		flags |= 1
	}
	return []byte{1, 0, 0, 0, f.Profile, level, flags, unknown, unknown, unknown, 0, 0}
}

// opusConfig is a header of Opus. Numbers are little-endian in it, and the first 312
// samples are for warming up, as encoders have it.
func opusConfig(f *codecs.Opus) []byte {
	b := append([]byte("OpusHead"), 1, byte(f.ChannelCount))
	b = binary.LittleEndian.AppendUint16(b, 312)
	b = binary.LittleEndian.AppendUint32(b, 48000)
	return append(b, 0, 0, 0)
}

// describe is what the metadata of a stream say of a format.
func describe(format live.Format) amf0.ECMAArray {
	number := func(key string, n int) amf0.ObjectEntry { return amf0.ObjectEntry{Key: key, Value: float64(n)} }
	four := func(name string) int { return int(binary.BigEndian.Uint32([]byte(name))) }
	switch f := format.(type) {
	case *codecs.H264:
		about := amf0.ECMAArray{number("videocodecid", 7)}
		var sps h264.SPS
		if sps.Unmarshal(f.SPS) == nil {
			about = append(about, number("width", sps.Width()), number("height", sps.Height()))
		}
		return about
	case *codecs.H265:
		return amf0.ECMAArray{number("videocodecid", four(codecH265))}
	case *codecs.AV1:
		return amf0.ECMAArray{number("videocodecid", four(codecAV1))}
	case *codecs.VP9:
		return amf0.ECMAArray{number("videocodecid", four(codecVP9)), number("width", f.Width), number("height", f.Height)}
	case *codecs.MPEG4Audio:
		return amf0.ECMAArray{number("audiocodecid", 10), number("audiosamplerate", f.Config.SampleRate)}
	case *codecs.MPEG1Audio:
		return amf0.ECMAArray{number("audiocodecid", 2), number("audiosamplerate", f.SampleRate)}
	case *codecs.Opus:
		return amf0.ECMAArray{number("audiocodecid", four(codecOpus)), number("audiosamplerate", 48000)}
	case *codecs.AC3:
		return amf0.ECMAArray{number("audiocodecid", four(codecAC3)), number("audiosamplerate", f.SampleRate)}
	case *codecs.FLAC:
		return amf0.ECMAArray{number("audiocodecid", four(codecFLAC)), number("audiosamplerate", int(f.StreamInfo.SampleRate))}
	}
	return nil
}

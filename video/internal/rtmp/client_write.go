package rtmp

import (
	"time"

	"github.com/bluenviron/gortmplib/pkg/amf0"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// Start tells the server the formats of the tracks, before the first frame and when one
// of them changes, as of a time.
func (c *Client) Start(formats []live.Format, at time.Duration) error {
	c.formats = formats
	var about amf0.ECMAArray
	for _, f := range formats {
		about = append(about, describe(f)...)
	}
	body, err := amf0.Data{"@setDataFrame", "onMetaData", about}.Marshal()
	if err != nil {
		return err
	}
	if err := c.conn.write(chunksSound, message{kind: kindData, time: stamp(at), body: body}, c.stream, nil); err != nil {
		return err
	}
	for _, f := range formats {
		kind, head, config, err := configTag(f)
		if err != nil {
			return err
		}
		if head == nil {
			continue
		}
		if err := c.conn.write(chunksOf(kind), message{kind: kind, time: stamp(at), body: head}, c.stream, config); err != nil {
			return err
		}
	}
	return nil
}

// Write sends a frame. Its payload is not changed.
func (c *Client) Write(f live.Frame) error {
	kind, head := frameTag(c.formats[f.Track], f)
	return c.conn.write(chunksOf(kind), message{kind: kind, time: stamp(f.DTS), body: head}, c.stream, f.Payload)
}

// stamp is a time on the wire. It begins anew after 49 days.
func stamp(d time.Duration) uint32 { return uint32(d.Milliseconds()) }

func chunksOf(kind byte) byte {
	if kind == kindPicture {
		return chunksPicture
	}
	return chunksSound
}

// frameTag is what stands before the payload of a frame.
func frameTag(format live.Format, f live.Frame) (kind byte, head []byte) {
	first := byte(2 << 4)
	if f.Key {
		first = 1 << 4
	}
	offset := uint32((f.PTS - f.DTS).Milliseconds()) & 0xffffff
	switch t := format.(type) {
	case *codecs.H264:
		head = []byte{first | 7, packetFrames, 0, 0, 0}
		putUint24(head[2:], offset)
		return kindPicture, head
	case *codecs.H265:
		head = append(enhanced(first|0x80|packetFrames, codecH265), 0, 0, 0)
		putUint24(head[5:], offset)
		return kindPicture, head
	case *codecs.AV1:
		return kindPicture, enhanced(first|0x80|packetFramesX, codecAV1)
	case *codecs.VP9:
		return kindPicture, enhanced(first|0x80|packetFramesX, codecVP9)
	case *codecs.MPEG4Audio:
		return kindSound, []byte{aacFirst, packetFrames}
	case *codecs.MPEG1Audio:
		return kindSound, []byte{mp3First(t)}
	case *codecs.Opus:
		return kindSound, enhanced(soundFirst|packetFrames, codecOpus)
	case *codecs.AC3:
		return kindSound, enhanced(soundFirst|packetFrames, codecAC3)
	default:
		return kindSound, enhanced(soundFirst|packetFrames, codecFLAC)
	}
}

// First bytes of tags of sound.
const (
	soundFirst = 9 << 4
	aacFirst   = 10<<4 | 3<<2 | 1<<1 | 1 // 44100 Hz, 16 bits, stereo: said of all AAC
)

// mp3First says a rate that is near enough: decoders look into the frames.
func mp3First(f *codecs.MPEG1Audio) byte {
	first := byte(2<<4 | 1<<1)
	switch {
	case f.SampleRate > 24000:
		first |= 3 << 2
	case f.SampleRate > 12000:
		first |= 2 << 2
	default:
		first |= 1 << 2
	}
	if f.ChannelCount > 1 {
		first |= 1
	}
	return first
}

func enhanced(first byte, codec string) []byte { return append([]byte{first}, codec...) }

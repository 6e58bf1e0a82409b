package mpegts

import (
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/mpeg4audio"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/intake"
)

// Each of these reads the frame that bytes begin with, and keeps the format as long as
// it stays the same, so that it is the same pointer. They may answer a size beyond the
// bytes.

// adtsFrames reads AAC with a head before each frame.
type adtsFrames struct{ format *codecs.MPEG4Audio }

var adtsRates = [...]int{96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350}

func (a *adtsFrames) read(b []byte) (soundFrame, error) {
	if len(b) < 7 {
		return soundFrame{}, errShort
	}
	head := 7
	if b[1]&1 == 0 { // with a checksum
		head = 9
	}
	profile, rate := b[2]>>6, int(b[2]>>2&0x0f)
	channels := b[2]&1<<2 | b[3]>>6
	size := int(b[3]&3)<<11 | int(b[4])<<3 | int(b[5]>>5)
	blocks := b[6] & 3
	// Of the profiles, only low complexity is played; channels that the sound itself
	// describes, and several blocks in a frame, nobody sends.
	if b[1]&0xf6 != 0xf0 || profile != 1 || rate >= len(adtsRates) || channels == 0 || blocks != 0 || size <= head {
		return soundFrame{}, errStray
	}
	config := mpeg4audio.AudioSpecificConfig{
		Type:          mpeg4audio.ObjectTypeAACLC,
		SampleRate:    adtsRates[rate],
		ChannelConfig: channels,
	}
	if a.format == nil || a.format.Config != config {
		a.format = &codecs.MPEG4Audio{Config: config}
	}
	return soundFrame{
		size:     size,
		format:   a.format,
		payloads: [][]byte{b[head:max(head, min(size, len(b)))]},
		length:   samples(mpeg4audio.SamplesPerAccessUnit, config.SampleRate),
	}, nil
}

// latmFrames reads AAC in multiplexed elements, as broadcasters send it.
type latmFrames struct {
	config *mpeg4audio.StreamMuxConfig // of the element before, which the next may go on with
	format *codecs.MPEG4Audio
}

func (l *latmFrames) read(b []byte) (soundFrame, error) {
	if len(b) < 3 {
		return soundFrame{}, errShort
	}
	if b[1]&0xe0 != 0xe0 {
		return soundFrame{}, errStray
	}
	f := soundFrame{size: 3 + int(b[1]&0x1f)<<8 + int(b[2])}
	if f.size > len(b) {
		return f, nil
	}
	element := mpeg4audio.AudioMuxElement{MuxConfigPresent: true, StreamMuxConfig: l.config}
	if err := element.Unmarshal(b[3:f.size]); err != nil {
		return f, errStray
	}
	l.config = element.StreamMuxConfig
	for _, sub := range element.Payloads {
		if len(sub) == 0 || len(sub[0]) == 0 || len(sub[0][0]) == 0 {
			return f, errStray
		}
		f.payloads = append(f.payloads, sub[0][0])
	}
	config := l.config.Programs[0].Layers[0].AudioSpecificConfig
	if config == nil || config.SampleRate <= 0 || config.ChannelConfig == 0 {
		return f, errStray
	}
	if l.format == nil || l.format.Config != *config {
		l.format = &codecs.MPEG4Audio{Config: *config}
	}
	f.format = l.format
	f.length = samples(mpeg4audio.SamplesPerAccessUnit, config.SampleRate)
	return f, nil
}

// headedFrames reads sound whose frames begin with a head that says all.
type headedFrames struct {
	head func(b []byte) (intake.SoundHead, error)
	min  int // bytes that a head is read from
}

func (h headedFrames) read(b []byte) (soundFrame, error) {
	if len(b) < h.min {
		return soundFrame{}, errShort
	}
	head, err := h.head(b)
	if err != nil {
		return soundFrame{}, errStray
	}
	return soundFrame{
		size:     head.Size,
		format:   head.Format,
		payloads: [][]byte{b[:min(head.Size, len(b))]},
		length:   head.Length,
	}, nil
}

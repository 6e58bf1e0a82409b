package intake

import (
	"errors"
	"fmt"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/ac3"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/mpeg1audio"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/live"
)

// SoundHead is what a frame of sound says of itself.
type SoundHead struct {
	Format live.Format // the same pointer as long as it stays the same
	Size   int         // of the frame, in bytes
	Length time.Duration
}

var errNoFrame = errors.New("here begins no frame of sound")

// MP3 reads the heads of frames of MPEG sound.
type MP3 struct{ format *codecs.MPEG1Audio }

// Read reads that which b begins with. It answers ErrFormat for other layers than the
// third.
func (m *MP3) Read(b []byte) (SoundHead, error) {
	var head mpeg1audio.FrameHeader
	if head.Unmarshal(b) != nil {
		return SoundHead{}, errNoFrame
	}
	if head.Layer != 3 {
		return SoundHead{}, fmt.Errorf("%w (MPEG sound of layer %d)", live.ErrFormat, head.Layer)
	}
	format := codecs.MPEG1Audio{SampleRate: head.SampleRate, ChannelCount: 2}
	if head.ChannelMode == mpeg1audio.ChannelModeMono {
		format.ChannelCount = 1
	}
	if m.format == nil || *m.format != format {
		m.format = &format
	}
	size := head.SampleCount() / 8 * head.Bitrate / head.SampleRate
	if head.Padding {
		size++
	}
	return SoundHead{m.format, size, time.Duration(head.SampleCount()) * time.Second / time.Duration(head.SampleRate)}, nil
}

// AC3 reads the heads of frames of AC-3.
type AC3 struct{ format *codecs.AC3 }

// Read reads that which b begins with.
func (a *AC3) Read(b []byte) (SoundHead, error) {
	const first = 5 // bytes, before the second part of the head
	var (
		sync ac3.SyncInfo
		info ac3.BSI
	)
	if len(b) < first+3 || sync.Unmarshal(b) != nil || info.Unmarshal(b[first:]) != nil {
		return SoundHead{}, errNoFrame
	}
	format := codecs.AC3{
		SampleRate: sync.SampleRate(), ChannelCount: info.ChannelCount(), Bsid: info.Bsid, Bsmod: info.Bsmod,
		Acmod: info.Acmod, LfeOn: info.LfeOn, BitRateCode: sync.Frmsizecod >> 1,
	}
	if a.format == nil || *a.format != format {
		a.format = &format
	}
	return SoundHead{a.format, sync.FrameSize(), ac3.SamplesPerFrame * time.Second / time.Duration(format.SampleRate)}, nil
}

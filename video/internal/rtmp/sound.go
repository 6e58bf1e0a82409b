package rtmp

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/flac"
	"github.com/bluenviron/mediacommon/v2/pkg/codecs/mpeg4audio"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/intake"
	"stoa/video/internal/live"
)

// sound reads the tags of sound.
type sound struct {
	format live.Format // nil until it is known
	codec  string
	config []byte // as it last came
	mp3    intake.MP3
	ac3    intake.AC3
}

// read takes the frames out of a message: one, but for MP3, where it can be several.
func (s *sound) read(body []byte) ([]byte, error) {
	t, err := readSoundTag(body)
	if err != nil || t.codec == "" {
		return nil, err
	}
	switch t.packet {
	case packetConfig:
		return nil, s.configure(t)
	case packetFrames:
		if err := s.see(t); err != nil {
			return nil, err
		}
		if s.codec == t.codec {
			return t.data, nil
		}
	}
	return nil, nil
}

// readSoundTag reads the header of a message.
func readSoundTag(b []byte) (tag, error) {
	if len(b) < 2 {
		return tag{}, nil
	}
	switch kind := b[0] >> 4; kind {
	case 2, 14: // 14: of 8000 Hz
		return tag{codec: codecMP3, packet: packetFrames, data: b[1:]}, nil
	case 10:
		return tag{codec: codecAAC, packet: b[1], data: b[2:]}, nil
	case 9:
		if len(b) < 5 {
			return tag{}, nil
		}
		return readEnhancedTag(b, b[0]&15, packetMultisound), nil
	default:
		return tag{}, fmt.Errorf("%w (sound of kind %d)", live.ErrFormat, kind)
	}
}

// configure takes over what is needed to decode, if it is new.
func (s *sound) configure(t tag) error {
	if len(t.data) == 0 || t.codec == s.codec && bytes.Equal(t.data, s.config) {
		return nil
	}
	var format live.Format
	switch t.codec {
	case codecAAC:
		var config mpeg4audio.AudioSpecificConfig
		if err := config.Unmarshal(t.data); err != nil || config.SampleRate <= 0 {
			return fmt.Errorf("%w (AAC whose header cannot be read)", live.ErrFormat)
		}
		format = &codecs.MPEG4Audio{Config: config}
	case codecOpus:
		const channels = 9 // in the header, after its name and version
		if len(t.data) < 19 || t.data[channels] == 0 || t.data[channels] > 2 {
			return fmt.Errorf("%w (Opus with other than 1 or 2 channels)", live.ErrFormat)
		}
		format = &codecs.Opus{ChannelCount: int(t.data[channels])}
	case codecFLAC:
		info := new(flac.StreamInfo)
		if err := info.Unmarshal(streamInfo(t.data)); err != nil || info.SampleRate == 0 {
			return fmt.Errorf("%w (FLAC without its header)", live.ErrFormat)
		}
		format = &codecs.FLAC{StreamInfo: info}
	case codecMP3, codecAC3: // each frame says it
		return nil
	default:
		return fmt.Errorf("%w (sound of kind %q)", live.ErrFormat, t.codec)
	}
	s.codec, s.config = t.codec, bytes.Clone(t.data)
	s.format = format
	return nil
}

// streamInfo is the first block of a header of FLAC, with its mark before it or not.
func streamInfo(b []byte) []byte {
	if bytes.HasPrefix(b, []byte("fLaC")) && len(b) > 8 {
		return b[8:]
	}
	return b
}

// see finds the format in a frame, where there is no other word of it.
func (s *sound) see(t tag) error {
	read := s.mp3.Read
	switch t.codec {
	case codecMP3:
	case codecAC3:
		read = s.ac3.Read
	default:
		return nil
	}
	head, err := read(t.data)
	switch {
	case errors.Is(err, live.ErrFormat):
		return err
	case err == nil: // else it may have begun in the middle
		s.codec, s.format = t.codec, head.Format
	}
	return nil
}

// first cuts one frame off, and tells how long it sounds.
func (s *sound) first(b []byte) ([]byte, time.Duration) {
	if s.codec != codecMP3 {
		return b, 0
	}
	head, err := s.mp3.Read(b)
	if err != nil || head.Size <= 0 || head.Size >= len(b) {
		return b, 0
	}
	return b[:head.Size], head.Length
}

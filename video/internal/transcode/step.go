package transcode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
	"time"

	"github.com/bluenviron/mediacommon/v2/pkg/codecs/h264"
	"github.com/bluenviron/mediacommon/v2/pkg/formats/fmp4"

	"stoa/video/internal/live"
)

// step is one size of the picture, over all encoders that make it.
type step struct {
	mu     sync.Mutex
	cutter *live.Cutter
	source *source     // that it was last started for
	format live.Format // of what it cuts
}

// maxBox bounds what is kept of the encoder's output at a time.
const maxBox = 32 << 20

// read cuts what an encoder writes.
func (s *step) read(r io.Reader, from *source) error {
	var kept []byte // boxes that belong to the next
	for {
		kind, all, err := readBox(r, kept)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		switch kind {
		case "ftyp", "moof":
			kept = all
			continue
		case "moov":
			err = s.begin(all, from)
		case "mdat":
			err = s.write(all)
		}
		if err != nil {
			return err
		}
		kept = nil
	}
}

// readBox reads the next box and appends it to what is kept.
func readBox(r io.Reader, kept []byte) (kind string, all []byte, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return "", nil, err
	}
	size := int(binary.BigEndian.Uint32(head[:]))
	if size < len(head) || size > maxBox {
		return "", nil, fmt.Errorf("encoder's output: box %q of %d bytes", head[4:], size)
	}
	at := len(kept) + len(head)
	all = append(append(make([]byte, 0, len(kept)+size), kept...), head[:]...)
	all = all[:len(kept)+size]
	if _, err := io.ReadFull(r, all[at:]); err != nil {
		return "", nil, fmt.Errorf("encoder's output: %w", err)
	}
	return string(head[4:]), all, nil
}

// begin starts the track, unless another encoder goes on with the same.
func (s *step) begin(head []byte, from *source) error {
	var file fmp4.Init
	if err := file.Unmarshal(bytes.NewReader(head)); err != nil || len(file.Tracks) != 1 || file.Tracks[0].TimeScale != clock {
		return fmt.Errorf("encoder's output: not the head that was expected: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	format := file.Tracks[0].Codec
	if s.source == from && reflect.DeepEqual(s.format, format) {
		return nil
	}
	s.source, s.format = from, format
	return s.cutter.Start(format)
}

// write takes a fragment.
func (s *step) write(fragment []byte) error {
	var parts fmp4.Parts
	if err := parts.Unmarshal(fragment); err != nil {
		return fmt.Errorf("encoder's output: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.format == nil {
		return errors.New("encoder's output: a fragment without a head")
	}
	for _, p := range parts {
		for _, t := range p.Tracks {
			at := int64(t.BaseTime)
			for _, sample := range t.Samples {
				f := live.Frame{DTS: moment(at), PTS: moment(at + int64(sample.PTSOffset)), Key: isKey(sample.Payload), Payload: sample.Payload}
				if err := s.cutter.Write(f); err != nil {
					return err
				}
				at += int64(sample.Duration)
			}
		}
	}
	return nil
}

func (s *step) cut(c live.Cut) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cutter.Cut(c)
}

func (s *step) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cutter.Close()
}

// isKey looks into a picture: what the fragment says of it stands in one of three places.
func isKey(payload []byte) bool {
	var units h264.AVCC
	return units.Unmarshal(payload) == nil && h264.IsRandomAccess(units)
}

// moment is a time of the clock.
func moment(units int64) time.Duration {
	return time.Duration(units/clock)*time.Second + time.Duration(units%clock)*time.Second/clock
}

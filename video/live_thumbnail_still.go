package video

import (
	"context"
	"os"
	"path/filepath"

	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/live"
)

// makeStill is the newest picture that can be shown alone, nil if there is none.
func (s *Service) makeStill(ctx context.Context, b *broadcast) []byte {
	window, track := b.bestPicture()
	if window == nil || s.ffmpeg == nil {
		return nil
	}
	head, media, ok := window.KeyFrame()
	if !ok {
		head, media = s.storedKeyFrame(ctx, b, track, window)
	}
	if len(media) == 0 {
		return nil
	}
	picture, err := s.decodeStill(ctx, sizeOf(window, head), head, media)
	if err != nil {
		s.log.Warn("no picture of a broadcast", "broadcast_id", b.id, "error", err)
	}
	return picture
}

// storedKeyFrame is the newest segment in the store that begins with a picture, with its
// head.
func (s *Service) storedKeyFrame(ctx context.Context, b *broadcast, track string, w *live.Window) (head, media []byte) {
	const tries = 5 // where key frames are far apart
	newest, _ := w.Newest()
	for number := newest; number >= 0 && number > newest-tries; number-- {
		segment, found := w.Segment(number)
		if !found || segment.FirstFrame == 0 {
			continue
		}
		media, err := s.readBlob(ctx, segmentKey(b.videoID, track, number))
		if err != nil {
			continue
		}
		for _, h := range w.Heads() {
			if h.Number == segment.Head {
				return h.Bytes, media
			}
		}
	}
	return nil, nil
}

// sizeOf is what ffmpeg has to know of a picture.
func sizeOf(w *live.Window, head []byte) ffmpeg.Media {
	picture := &ffmpeg.VideoStream{FrameRate: ffmpeg.Rate{Num: 25, Den: 1}}
	for _, h := range w.Heads() {
		if &h.Bytes[0] == &head[0] {
			picture.Width, picture.Height = h.Width, h.Height
		}
	}
	return ffmpeg.Media{Container: "mov", Video: picture}
}

// decodeStill makes a JPEG of the first picture behind a head.
func (s *Service) decodeStill(ctx context.Context, m ffmpeg.Media, head, media []byte) ([]byte, error) {
	folder, err := s.scratch.new("still")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "picture.mp4")
	content := append(append([]byte{}, head...), media...)
	if err := os.WriteFile(file, content, 0o600); err != nil {
		return nil, err
	}
	in := ffmpeg.Input{Parts: []ffmpeg.Part{{Path: file, Size: int64(len(content))}}}
	return s.ffmpeg.Still(ctx, in, m, 0, thumbnailWidth)
}

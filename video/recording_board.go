package video

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"stoa/internal/blob"
	"stoa/video/internal/encode"
)

// takePictures makes the small pictures of a recording's storyboard. Of other videos
// they are there already.
func (s *Service) takePictures(ctx context.Context, v *video, e encoding) error {
	if e.plan.Recording == nil || e.plan.Pictures() == 0 {
		return nil
	}
	r, err := s.openRecorded(ctx, v, e)
	if err != nil {
		return err
	}
	for from := 0; from < e.plan.Pictures(); {
		if from, err = r.takePictures(ctx, from); err != nil {
			return err
		}
	}
	return nil
}

// boardPictures is how many pictures are taken in one go.
const boardPictures = 100

// takePictures takes pictures from a number on, as long as they have the same head, and
// answers the number that is next. Each is the first of the segment that is shown then,
// so that no other has to be read or decoded.
func (r *recorded) takePictures(ctx context.Context, from int) (next int, err error) {
	track, plan := r.picture(), r.e.plan
	var film bytes.Buffer
	var head string
	var numbers []int // of the pictures, as they come
	for next = from; next < plan.Pictures() && len(numbers) < boardPictures; next++ {
		number, begins := r.at(track, plan.PictureTime(next))
		first, _, ok := r.opening(track, number, begins)
		if !ok {
			continue // its place stays dark
		}
		k := r.segments[track][first]
		if key := r.headKey(track, k); head == "" {
			if _, err := copyBlob(ctx, r.s.Blobs, &film, key); err != nil {
				return 0, err
			}
			head = key
		} else if head != key {
			break
		}
		if err := r.addPicture(ctx, &film, len(numbers), r.segmentKey(track, first, k), k); err != nil {
			return 0, err
		}
		numbers = append(numbers, next)
	}
	if len(numbers) == 0 {
		return next, nil
	}
	return next, r.decode(ctx, film.Bytes(), numbers)
}

// addPicture adds the first picture of a segment to a film of such pictures.
func (r *recorded) addPicture(ctx context.Context, film *bytes.Buffer, number int, key string, k keptSegment) error {
	object, err := r.s.Blobs.Open(ctx, key)
	if err != nil {
		return err
	}
	defer object.Close()
	beginning := make([]byte, k.FirstFrame)
	if _, err := io.ReadFull(blob.NewSource(ctx, object), beginning); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return encode.AddPicture(film, number, beginning)
}

// decode makes the pictures of a film, and stores them.
func (r *recorded) decode(ctx context.Context, film []byte, numbers []int) error {
	folder, err := r.s.scratch.new("board")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.WriteFile(filepath.Join(folder, "film.mp4"), film, 0o600); err != nil {
		return err
	}
	return encode.Board(ctx, r.s.ffmpeg, folder, "film.mp4", r.e.plan.Renditions[0], func(n int, jpeg []byte) error {
		if n >= len(numbers) {
			return nil
		}
		_, err := r.s.Blobs.Put(ctx, pictureKey(r.id, numbers[n]), bytes.NewReader(jpeg), "image/jpeg")
		return err
	})
}

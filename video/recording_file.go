package video

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
)

// recorded is the files of a recording, for jobs.
type recorded struct {
	s        *Service
	id       string
	e        encoding
	segments map[string][]keptSegment // by track
}

func (s *Service) openRecorded(ctx context.Context, v *video, e encoding) (*recorded, error) {
	p := &playback{video: v, encoding: e, segments: map[string][]keptSegment{}, codecs: map[string]string{}}
	err := s.db.InSnapshot(ctx, func(tx *db.Tx) error { return p.readSegments(ctx, tx, nil) })
	return &recorded{s, v.id, e, p.segments}, err
}

// picture is the largest rendition.
func (r *recorded) picture() string { return r.e.plan.Renditions[0].Name }

// headKey is the head that a segment of a track needs.
func (r *recorded) headKey(track string, k keptSegment) string {
	return headKey(r.id, cmp.Or(k.Track, track), k.Head)
}

func (r *recorded) segmentKey(track string, number int, k keptSegment) string {
	return segmentKey(r.id, cmp.Or(k.Track, track), number)
}

// at finds the segment of a track that is played at a time, and when it begins.
func (r *recorded) at(track string, t time.Duration) (number int, begins time.Duration) {
	clock := r.e.plan.Timescale(track)
	var units int64
	segments := r.segments[track]
	for n, k := range segments {
		if begins = unitsToTime(units, clock); n == len(segments)-1 || unitsToTime(units+k.Duration, clock) > t {
			return n, begins
		}
		units += k.Duration
	}
	return 0, 0
}

// opening is the last segment of a track, up to number, with which decoding can begin,
// and when that is; ok is false if there is none.
func (r *recorded) opening(track string, number int, begins time.Duration) (first int, at time.Duration, ok bool) {
	segments, clock := r.segments[track], r.e.plan.Timescale(track)
	for n := number; n >= 0; n-- {
		if segments[n].FirstFrame > 0 {
			return n, begins, true
		}
		if n > 0 {
			begins -= unitsToTime(segments[n-1].Duration, clock)
		}
	}
	return 0, 0, false
}

// still is the picture that is shown at a time.
func (r *recorded) still(ctx context.Context, at time.Duration) ([]byte, error) {
	track := r.picture()
	number, begins := r.at(track, at)
	first, begins, ok := r.opening(track, number, begins)
	if !ok {
		return nil, ffmpeg.ErrUnsupported
	}
	segments := r.segments[track]
	keys := []string{r.headKey(track, segments[first])}
	for n := first; n <= number; n++ {
		if k := segments[n]; k.Bytes > 0 && k.Track == segments[first].Track && k.Head == segments[first].Head {
			keys = append(keys, r.segmentKey(track, n, k))
		}
	}
	folder, err := r.s.scratch.new("still")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "piece.mp4")
	size, err := copyBlobs(ctx, r.s.Blobs, path, keys...)
	if err != nil {
		return nil, err
	}
	in := ffmpeg.Input{Parts: []ffmpeg.Part{{Path: path, Size: size}}}
	return r.s.ffmpeg.Still(ctx, in, r.e.media, at-begins, thumbnailWidth)
}

// file writes the segments from..to of a track, that have the same head, to a new file.
func (r *recorded) file(ctx context.Context, track string, from, to int, path string) error {
	var keys []string
	for n := from; n < to; n++ {
		k := r.segments[track][n]
		if k.Bytes == 0 {
			continue
		}
		if len(keys) == 0 {
			keys = append(keys, r.headKey(track, k))
		}
		keys = append(keys, r.segmentKey(track, n, k))
	}
	_, err := copyBlobs(ctx, r.s.Blobs, path, keys...)
	return err
}

// changes are the numbers of the segments from which on a track needs another head than
// before: with other bytes, as a publisher who returns mostly sends the same.
func (r *recorded) changes(ctx context.Context, track string) (at []int, err error) {
	known := map[string][]byte{}
	var now []byte
	for n, k := range r.segments[track] {
		if k.Bytes == 0 {
			continue
		}
		key := r.headKey(track, k)
		if known[key] == nil {
			if known[key], err = r.s.readBlob(ctx, key); err != nil {
				return nil, fmt.Errorf("head of segment %d of %s: %w", n, track, err)
			}
		}
		if now != nil && !bytes.Equal(now, known[key]) {
			at = append(at, n)
		}
		now = known[key]
	}
	return at, nil
}

// hasSound tells whether there is a track of sound beside the pictures.
func (r *recorded) hasSound() bool {
	return r.e.plan.Audio >= 0 && r.picture() != encode.AudioTrack
}

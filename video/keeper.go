package video

import (
	"bytes"
	"context"
	"sync"

	"stoa/video/internal/encode"
)

// keeper is the encode.Sink of a chunk: it stores files as they are made, and then the
// rows that say so.
type keeper struct {
	s      *Service
	id     string // of the video
	first  int    // number of the chunk's first segment
	tracks []string
	plan   *encode.Plan

	mu     sync.Mutex
	chunk  chunk // what there is; a track may be ahead of the others
	stored int   // segments of every track that the row has
}

func newKeeper(s *Service, id string, c chunk, plan *encode.Plan, first int, tracks []string) *keeper {
	k := &keeper{s: s, id: id, first: first, tracks: tracks, plan: plan, chunk: c}
	if c.kept.Segments == nil {
		k.chunk.kept = chunkSegments{Codecs: map[string]string{}, Segments: map[string][]keptSegment{}}
	}
	k.stored = k.complete()
	return k
}

// complete is how many segments there are of every track.
func (k *keeper) complete() int {
	n := len(k.chunk.kept.Segments[k.tracks[0]])
	for _, track := range k.tracks {
		n = min(n, len(k.chunk.kept.Segments[track]))
	}
	return n
}

// Init keeps the head of a track. All chunks have the same, so one of them does.
func (k *keeper) Init(ctx context.Context, track string, init []byte, codec string) error {
	if k.chunk.number > 0 {
		return nil
	}
	if _, err := k.s.Blobs.Put(ctx, initKey(k.id, track), bytes.NewReader(init), mediaType(track)); err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.chunk.kept.Codecs[track] = codec
	return nil
}

// Segment keeps a segment, unless a run before this one has.
func (k *keeper) Segment(ctx context.Context, track string, number int, s encode.Segment) error {
	k.mu.Lock()
	there := number-k.first < len(k.chunk.kept.Segments[track])
	k.mu.Unlock()
	if there {
		return nil
	}
	if _, err := k.s.Blobs.Put(ctx, segmentKey(k.id, track, number), bytes.NewReader(s.Bytes), mediaType(track)); err != nil {
		return err
	}
	if clock := k.plan.Timescale(track); clock > 0 {
		k.s.metrics.encodedTime.Add(uint64(s.Duration * 1000 / clock))
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.chunk.kept.Segments[track] = append(k.chunk.kept.Segments[track],
		keptSegment{Duration: s.Duration, Bytes: int64(len(s.Bytes)), FirstFrame: int64(s.FirstFrameBytes)})
	// The row is written for every segment of a chunk, but more and more rarely for a
	// sound of hours, as all of it is written each time.
	if grown := k.complete() - k.stored; grown > k.stored/16 {
		return k.store(ctx, false)
	}
	return nil
}

// store writes the row. It is called with the lock.
func (k *keeper) store(ctx context.Context, done bool) error {
	n := k.complete()
	if err := k.s.keepChunk(ctx, k.id, k.chunk, n, done); err != nil {
		return err
	}
	k.stored = n
	return nil
}

// finish says that the chunk is done.
func (k *keeper) finish(ctx context.Context) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.store(ctx, true)
}

// Picture keeps a picture of the storyboard until all are there.
func (k *keeper) Picture(ctx context.Context, number int, jpeg []byte) error {
	_, err := k.s.Blobs.Put(ctx, pictureKey(k.id, number), bytes.NewReader(jpeg), "image/jpeg")
	return err
}

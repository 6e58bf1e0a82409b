package video

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"stoa/internal/blob"
	"stoa/video/internal/ffmpeg"
)

// idleCopy is how long a copy of a source is kept for the next chunk of its video.
const idleCopy = time.Minute

// localCopies are sources that ffmpeg cannot read where they are. All jobs of a video
// in this process share one. There are as many as jobs that run, and one more: of
// those that nobody uses, only the last is kept, and that for a while.
type localCopies struct {
	store   blob.Store
	scratch *scratch

	mu  sync.Mutex
	all map[string]*localCopy // by video
}

type localCopy struct {
	turn  chan struct{} // held by who makes it
	input ffmpeg.Input  // empty until it is made
	dir   string

	users int         // under the lock of all, as is the rest
	idle  *time.Timer // runs while there are none
}

func newLocalCopies(store blob.Store, scratch *scratch) *localCopies {
	return &localCopies{store: store, scratch: scratch, all: map[string]*localCopy{}}
}

// open copies a source, unless it is there. A copy that fails is begun again by the
// next who wants it.
func (c *localCopies) open(ctx context.Context, id string, parts []part) (ffmpeg.Input, func(), error) {
	use := c.use(id)
	release := sync.OnceFunc(func() { c.release(id, use) })
	select {
	case use.turn <- struct{}{}:
	case <-ctx.Done():
		release()
		return ffmpeg.Input{}, nil, context.Cause(ctx)
	}
	defer func() { <-use.turn }()
	if len(use.input.Parts) == 0 {
		if err := c.fill(ctx, use, parts); err != nil {
			release()
			return ffmpeg.Input{}, nil, fmt.Errorf("copy the source: %w", err)
		}
	}
	return use.input, release, nil
}

func (c *localCopies) use(id string) *localCopy {
	c.mu.Lock()
	defer c.mu.Unlock()
	use := c.all[id]
	if use == nil {
		use = &localCopy{turn: make(chan struct{}, 1)}
		c.all[id] = use
	}
	if use.idle != nil {
		use.idle.Stop()
		use.idle = nil
	}
	use.users++
	return use
}

func (c *localCopies) fill(ctx context.Context, use *localCopy, parts []part) error {
	dir, err := c.scratch.new("source")
	if err != nil {
		return err
	}
	var in ffmpeg.Input
	for i, p := range parts {
		path := filepath.Join(dir, fmt.Sprintf("%05d", i))
		size, err := copyBlobs(ctx, c.store, path, p.blob)
		if err != nil {
			os.RemoveAll(dir)
			return err
		}
		in.Parts = append(in.Parts, ffmpeg.Part{Path: path, Size: size})
	}
	use.dir, use.input = dir, in
	return nil
}

func (c *localCopies) release(id string, use *localCopy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if use.users--; use.users > 0 {
		return
	}
	for other, idle := range c.all {
		if idle.users == 0 && idle != use {
			c.drop(other, idle)
		}
	}
	if use.dir == "" { // it was never made
		c.drop(id, use)
		return
	}
	use.idle = time.AfterFunc(idleCopy, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if use.users == 0 && c.all[id] == use {
			c.drop(id, use)
		}
	})
}

// drop removes a copy that nobody uses. It is called with the lock.
func (c *localCopies) drop(id string, unused *localCopy) {
	if unused.idle != nil {
		unused.idle.Stop()
	}
	delete(c.all, id)
	if unused.dir != "" {
		os.RemoveAll(unused.dir)
	}
}

// dropIdle removes the copies that nobody uses now.
func (c *localCopies) dropIdle() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, copy := range c.all {
		if copy.users == 0 {
			c.drop(id, copy)
		}
	}
}

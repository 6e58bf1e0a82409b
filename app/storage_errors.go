package app

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"

	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/fault"
	"stoa/internal/stats"
)

// files is where an environment keeps files.
type files interface {
	blob.Store
	io.Closer
}

// counted is files whose failures are counted. What a caller does wrong, or does not
// wait for, is none.
type counted struct {
	files
	put, open, remove, list *stats.Counter
}

// countErrors counts what the files of an environment fail at.
func countErrors(kept files, r *stats.Registry, environment string) files {
	counter := func(operation string) *stats.Counter {
		return r.Counter("stoa.files.errors", stats.Tag{Key: "environment", Value: environment}, stats.Tag{Key: "operation", Value: operation})
	}
	c := counted{kept, counter("put"), counter("open"), counter("delete"), counter("list")}
	if folder, ok := kept.(*file.Store); ok {
		return countedFolder{c, folder}
	}
	return c
}

// countedFolder also has what only a folder has.
type countedFolder struct {
	counted
	folder *file.Store
}

func (c countedFolder) Path(key string) (path string, size int64, err error) {
	return c.folder.Path(key)
}

func countFailure(counter *stats.Counter, err error) {
	if err == nil {
		return
	}
	if _, ofDisk := errors.AsType[*fs.PathError](err); ofDisk || errors.Is(err, fault.Unavailable) {
		counter.Add(1)
	}
}

func (c counted) Put(ctx context.Context, key string, r io.Reader, contentType string) (blob.Info, error) {
	info, err := c.files.Put(ctx, key, r, contentType)
	countFailure(c.put, err)
	return info, err
}

func (c counted) Open(ctx context.Context, key string) (*blob.Object, error) {
	object, err := c.files.Open(ctx, key)
	countFailure(c.open, err)
	return object, err
}

func (c counted) Delete(ctx context.Context, key string) error {
	err := c.files.Delete(ctx, key)
	countFailure(c.remove, err)
	return err
}

func (c counted) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		for info, err := range c.files.List(ctx, prefix) {
			countFailure(c.list, err)
			if !yield(info, err) {
				return
			}
		}
	}
}

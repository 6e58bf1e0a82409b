// Package memory keeps objects in memory, for tests and previews. They end with
// the process.
package memory

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"stoa/internal/blob"
)

// Store is a blob.Store.
type Store struct {
	mu      sync.RWMutex
	objects map[string]object
}

type object struct {
	info blob.Info
	data []byte // never changed: readers share it
}

// New makes an empty store.
func New() *Store { return &Store{objects: make(map[string]object)} }

// Check finds nothing wrong.
func (s *Store) Check(context.Context) error { return nil }

func (s *Store) Put(ctx context.Context, key string, r io.Reader, contentType string) (blob.Info, error) {
	contentType, err := blob.CheckPut(key, contentType)
	if err != nil {
		return blob.Info{}, err
	}
	data, err := io.ReadAll(blob.NewSource(ctx, r))
	if err != nil {
		return blob.Info{}, fmt.Errorf("put %s: %w", key, err)
	}
	info := blob.Info{
		Key:         key,
		ContentType: contentType,
		ETag:        fmt.Sprintf("%.16x", sha256.Sum256(data)),
		Size:        int64(len(data)),
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder(key) {
		return blob.Info{}, fmt.Errorf("put %s: %w", key, blob.ErrFolder)
	}
	kept := info
	kept.Modified = time.Now().UTC().Truncate(time.Second)
	s.objects[key] = object{kept, data}
	return info, nil
}

// folder tells whether a key is the folder of another, or the reverse, as a
// folder of files would.
func (s *Store) folder(key string) bool {
	for i, c := range key {
		if _, there := s.objects[key[:i]]; there && c == '/' {
			return true
		}
	}
	for other := range s.objects {
		if strings.HasPrefix(other, key+"/") {
			return true
		}
	}
	return false
}

func (s *Store) Open(ctx context.Context, key string) (*blob.Object, error) {
	if err := blob.CheckKey(key); err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	o, there := s.objects[key]
	if !there {
		return nil, fmt.Errorf("open %s: %w", key, blob.ErrNotFound)
	}
	return &blob.Object{ReadSeekCloser: reader{bytes.NewReader(o.data)}, Info: o.info}, nil
}

func (s *Store) Delete(ctx context.Context, key string) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.objects, key)
	return nil
}

// List sees the keys of the moment it begins.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		if err := blob.CheckPrefix(prefix); err != nil {
			yield(blob.Info{}, err)
			return
		}
		s.mu.RLock()
		objects := maps.Clone(s.objects)
		s.mu.RUnlock()
		for _, key := range slices.Sorted(maps.Keys(objects)) {
			if err := ctx.Err(); err != nil {
				yield(blob.Info{}, err)
				return
			}
			info := objects[key].info
			info.ContentType = ""
			if strings.HasPrefix(key, prefix) && !yield(info, nil) {
				return
			}
		}
	}
}

type reader struct{ *bytes.Reader }

func (reader) Close() error { return nil }

// Package file keeps objects in a folder.
//
// The object a/b.jpeg is the file a/b.jpeg below the folder: its bytes, and a
// short footer with the content type and the ETag, so that one rename replaces
// all of them at once. A file without that footer is none of ours and is not
// seen. New objects are written in the folder ~incoming, whose name no key can
// have; what a killed process left there is swept when the store is opened, and once
// more when nobody can be writing any more what was there then.
//
// Several processes may use one folder at the same time. It must be on one file
// system, and one that keeps the promises of fsync and rename.
package file

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
	"time"

	"stoa/internal/blob"
)

const (
	incoming = "~incoming"
	leftover = time.Hour // since the last byte: nobody is writing that any more
	bite     = 256 << 10 // bytes that are written at once
)

// Store is a blob.Store.
type Store struct {
	root  *os.Root
	again *time.Timer // sweeps what was too young when the store was opened
}

// New opens a folder, which it makes if need be. The caller closes the store.
func New(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for objects: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open the folder for objects: %w", err)
	}
	s := &Store{root: root}
	if err := s.sweep(); err != nil {
		root.Close()
		return nil, fmt.Errorf("tidy the folder for objects: %w", err)
	}
	s.again = time.AfterFunc(leftover, func() { _ = s.sweep() }) // if that fails, the next start does it
	return s, nil
}

// Close lets go of the folder. Open objects can be read to their end.
func (s *Store) Close() error {
	s.again.Stop()
	return s.root.Close()
}

// Check looks whether the folder is still there.
func (s *Store) Check(context.Context) error {
	info, err := s.root.Stat(".")
	if err != nil {
		return fmt.Errorf("the folder for objects: %w", err)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Nlink == 0 {
		return fmt.Errorf("the folder for objects: %s was removed: put it back and start again", s.root.Name())
	}
	return nil
}

func (s *Store) sweep() error {
	if err := s.root.MkdirAll(incoming, 0o700); err != nil {
		return err
	}
	entries, err := fs.ReadDir(s.root.FS(), incoming)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil || time.Since(info.ModTime()) < leftover {
			continue // in use, or its writer has just finished
		}
		if err := s.root.Remove(path.Join(incoming, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func (s *Store) Put(ctx context.Context, key string, r io.Reader, contentType string) (blob.Info, error) {
	contentType, err := blob.CheckPut(key, contentType)
	if err != nil {
		return blob.Info{}, err
	}
	name := path.Join(incoming, rand.Text())
	source := blob.NewSource(ctx, r)
	info, err := s.write(name, source, contentType)
	if err == nil {
		err = s.place(name, key)
	}
	if err != nil {
		_ = s.root.Remove(name) // if that fails too, the next sweep takes it
		return blob.Info{}, refusal("put", key, source.Err, err)
	}
	if err := s.syncFolders(path.Dir(key)); err != nil {
		return blob.Info{}, refusal("put", key, nil, err)
	}
	info.Key = key
	return info, nil
}

// write makes the whole file, and returns when it is on the disk.
func (s *Store) write(name string, source io.Reader, contentType string) (blob.Info, error) {
	f, err := s.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return blob.Info{}, err
	}
	defer f.Close()
	to := struct{ io.Writer }{&behind{File: f}} // without ReadFrom, which would choose smaller bites
	size, err := io.CopyBuffer(to, source, make([]byte, bite))
	if err != nil {
		return blob.Info{}, err
	}
	info := blob.Info{ContentType: contentType, ETag: newETag(), Size: size}
	if _, err := f.Write(footer(info)); err != nil {
		return blob.Info{}, err
	}
	if err := f.Sync(); err != nil {
		return blob.Info{}, err
	}
	return info, f.Close()
}

// newETag is a random one: a hash of the bytes would cost as much as writing them.
func newETag() string {
	var random [etagSize / 2]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
}

func (s *Store) Open(ctx context.Context, key string) (*blob.Object, error) {
	if err := blob.CheckKey(key); err != nil {
		return nil, err
	}
	f, info, err := s.open(key)
	if err != nil {
		return nil, refusal("open", key, ctx.Err(), err)
	}
	return &blob.Object{ReadSeekCloser: bytesOf{io.NewSectionReader(f, 0, info.Size), f}, Info: info}, nil
}

func (s *Store) open(key string) (*os.File, blob.Info, error) {
	f, err := s.root.Open(key)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, blob.Info{}, blob.ErrNotFound
	}
	if err != nil {
		return nil, blob.Info{}, err
	}
	info, err := readFooter(f)
	if err != nil {
		f.Close()
		return nil, blob.Info{}, err
	}
	info.Key = key
	return f, info, nil
}

// bytesOf is a file without its footer.
type bytesOf struct {
	*io.SectionReader
	io.Closer
}

// refusal gives a failure its kind. One of the caller goes back as it is; one
// of the disk (full, gone, broken) may pass.
func refusal(verb, key string, callers, err error) error {
	switch {
	case callers != nil:
		return fmt.Errorf("%s %s: %w", verb, key, callers)
	case errors.Is(err, blob.ErrNotFound), errors.Is(err, blob.ErrFolder):
		return fmt.Errorf("%s %s: %w", verb, key, err)
	}
	return fmt.Errorf("%s %s: %w: %w", verb, key, blob.ErrUnavailable, err)
}

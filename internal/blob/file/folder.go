package file

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"syscall"

	"golang.org/x/sys/unix"

	"stoa/internal/blob"
)

// attempts bounds how often a Put makes its folder again because a Delete
// beside it, or one of another process, took the empty one away.
const attempts = 100

// place gives a finished file its name.
func (s *Store) place(name, key string) error {
	var err error
	for range attempts {
		err = s.root.Rename(name, key)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, fs.ErrNotExist):
			if err := s.makeFolder(path.Dir(key)); err != nil {
				return err
			}
		case errors.Is(err, syscall.ENOTDIR):
			return blob.ErrFolder
		case errors.Is(err, fs.ErrExist), errors.Is(err, syscall.EISDIR):
			// An empty folder may be left of a process that was killed.
			if err := s.removeFolder(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return blob.ErrFolder
			}
		default:
			return err
		}
	}
	return err
}

func (s *Store) makeFolder(folder string) error {
	err := s.root.MkdirAll(folder, 0o700)
	switch {
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return blob.ErrFolder
	case errors.Is(err, fs.ErrNotExist):
		return nil // a part of it has just been taken away: the next attempt makes it
	}
	return err
}

// syncFolders makes the names on the way to an object last. It does so for each
// folder up to the top: one that was there already may have been made a moment
// ago by a Put that has not come this far.
func (s *Store) syncFolders(folder string) error {
	for {
		if err := s.syncFolder(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if folder == "." {
			return nil
		}
		folder = path.Dir(folder)
	}
}

func (s *Store) syncFolder(folder string) error {
	d, err := s.root.Open(folder)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func (s *Store) Delete(ctx context.Context, key string) error {
	if err := blob.CheckKey(key); err != nil {
		return err
	}
	if err := s.remove(key); err != nil {
		return refusal("delete", key, ctx.Err(), err)
	}
	return nil
}

func (s *Store) remove(key string) error {
	err := s.unlink(key, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
		return nil
	case err != nil:
		return err
	}
	folder := path.Dir(key)
	for folder != "." && s.removeFolder(folder) == nil {
		folder = path.Dir(folder)
	}
	if err := s.syncFolder(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// removeFolder removes an empty folder, and nothing else.
func (s *Store) removeFolder(folder string) error { return s.unlink(folder, unix.AT_REMOVEDIR) }

// unlink is unlinkat(2), since os.Root.Remove removes either kind: a file that
// has just come in place of an empty folder would be lost.
func (s *Store) unlink(name string, flags int) error {
	d, err := s.root.OpenFile(path.Dir(name), os.O_RDONLY|syscall.O_DIRECTORY, 0)
	if err != nil {
		return err
	}
	defer d.Close()
	return unix.Unlinkat(int(d.Fd()), path.Base(name), flags)
}

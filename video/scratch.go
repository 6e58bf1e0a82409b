package video

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// scratch is the folder of this process for files that only ffmpeg needs. It is made
// with the first use, which also removes those of processes that are dead: a living
// one holds a lock on its own.
type scratch struct {
	parent string // "": below the system's folder for such files

	mu     sync.Mutex
	folder string   // "" not yet
	lock   *os.File // as long as the process lives
}

// new makes an empty folder. The caller removes it.
func (s *scratch) new(name string) (folder string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder == "" {
		if err := s.open(); err != nil {
			return "", fmt.Errorf("scratch folder: %w", err)
		}
	}
	return os.MkdirTemp(s.folder, name+"-*")
}

func (s *scratch) open() error {
	parent := s.parent
	if parent == "" {
		parent = filepath.Join(os.TempDir(), "stoa-scratch")
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	if err := sweepScratch(parent); err != nil {
		return err
	}
	for {
		folder, err := os.MkdirTemp(parent, "process-*")
		if err != nil {
			return err
		}
		lock, err := lockFolder(folder)
		if err != nil {
			return err
		}
		if lock != nil {
			s.folder, s.lock = folder, lock
			return nil
		}
		// Another process that begins has swept it, before it was locked.
	}
}

// sweepScratch removes the folders that nobody holds.
func sweepScratch(parent string) error {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		folder := filepath.Join(parent, entry.Name())
		lock, err := lockFolder(folder)
		if err != nil {
			return err
		}
		if lock == nil {
			continue
		}
		err = os.RemoveAll(folder)
		lock.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// lockFolder locks a folder until the file is closed. It is nil if another process has
// it, or it is gone.
func lockFolder(folder string) (*os.File, error) {
	f, err := os.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, nil
	}
	if _, err := os.Stat(folder); err != nil { // removed before it was locked
		f.Close()
		return nil, nil
	}
	return f, nil
}

package video

import (
	"io"
	"os"
	"sync"

	"stoa/internal/blob"
)

// maxHandles is how many handles of a file wait for viewers.
const maxHandles = 2

// handles are those of one file that nobody uses now. Who sends a file moves the position
// of its handle, so nobody shares one.
type handles struct {
	mu   sync.Mutex
	idle []*os.File
	shut bool
}

// take is a handle at the beginning of the file, nil if there is none.
func (h *handles) take() *os.File {
	h.mu.Lock()
	defer h.mu.Unlock()
	last := len(h.idle) - 1
	if last < 0 {
		return nil
	}
	f := h.idle[last]
	h.idle = h.idle[:last]
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		f.Close()
		return nil
	}
	return f
}

// give leaves a handle for the next one.
func (h *handles) give(f *os.File) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shut || len(h.idle) == maxHandles {
		return f.Close()
	}
	h.idle = append(h.idle, f)
	return nil
}

// close is for when the file is not kept any more. Handles in use are closed after it.
func (h *handles) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shut = true
	for _, f := range h.idle {
		f.Close()
	}
	h.idle = nil
}

// folderFile is what a folder's objects are read from.
type folderFile interface {
	io.ReadSeekCloser
	File() *os.File
}

// lend is an opened object of the file, whose handle stays when it is closed.
func (f *hotFile) lend(object *blob.Object) *blob.Object {
	return &blob.Object{ReadSeekCloser: lentFile{object.ReadSeekCloser.(folderFile), &f.handles}, Info: object.Info}
}

type lentFile struct {
	folderFile
	to *handles
}

func (l lentFile) Close() error { return l.to.give(l.File()) }

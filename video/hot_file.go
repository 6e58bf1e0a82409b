package video

import (
	"bytes"
	"io"

	"github.com/maypok86/otter/v2"

	"stoa/internal/blob"
)

const (
	hotMemory   = 64 << 20  // bytes
	hotFileSize = 256 << 10 // bytes; more than opening, it is sending that takes the time of a larger one
	hotFileKeys = 1 << 14   // files that were asked for lately
)

// hotFiles has the bytes of small files that were asked for again and again: to open
// one, on a disk or in a bucket, takes longer than to send it. Only files that never
// change may be given to it.
type hotFiles struct {
	kept  *otter.Cache[string, hotFile]
	asked *otter.Cache[string, struct{}]
}

type hotFile struct {
	info  blob.Info
	bytes []byte
}

func newHotFiles() *hotFiles {
	return &hotFiles{
		kept: otter.Must(&otter.Options[string, hotFile]{
			MaximumWeight: hotMemory,
			Weigher:       func(key string, f hotFile) uint32 { return uint32(len(key) + len(f.bytes) + 200) },
		}),
		asked: otter.Must(&otter.Options[string, struct{}]{MaximumSize: hotFileKeys}),
	}
}

// find is a file that is kept.
func (h *hotFiles) find(key string) (*blob.Object, bool) {
	f, found := h.kept.GetIfPresent(key)
	if !found {
		return nil, false
	}
	return f.open(), true
}

// keep takes an opened file in, if it is small and not asked for the first time. It
// returns the file to go on with, and closes the other one.
func (h *hotFiles) keep(key string, object *blob.Object) (*blob.Object, error) {
	if object.Info.Size > hotFileSize {
		return object, nil
	}
	if _, again := h.asked.GetIfPresent(key); !again {
		h.asked.Set(key, struct{}{})
		return object, nil
	}
	defer object.Close()
	content := make([]byte, object.Info.Size)
	if _, err := io.ReadFull(object, content); err != nil {
		return nil, err
	}
	f := hotFile{object.Info, content}
	h.kept.Set(key, f)
	return f.open(), nil
}

func (f hotFile) open() *blob.Object {
	return &blob.Object{ReadSeekCloser: memoryBytes{bytes.NewReader(f.bytes)}, Info: f.info}
}

// memoryBytes is a file in memory, which needs no closing.
type memoryBytes struct{ *bytes.Reader }

func (memoryBytes) Close() error { return nil }

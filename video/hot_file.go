package video

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"

	"stoa/internal/blob"
)

const (
	hotMemory   = 64 << 20         // bytes
	hotFileSize = 256 << 10        // bytes; of a larger one it is sending that takes the time, not opening
	hotOpen     = 512              // files that are kept open
	hotOpenSize = 8 << 20          // bytes of one of them
	hotTime     = 30 * time.Second // since a file was asked for last
	hotFileKeys = 1 << 14          // files that were asked for lately
)

// hotFiles has files ready that were asked for again and again: to open one, on a disk
// or in a bucket, takes longer than to send it. Files of a folder are kept open, since
// the system has their bytes in memory; others are kept in ours. Only files that never
// change may be given to it. A deleted one takes its place on the disk a little longer.
type hotFiles struct {
	kept  *otter.Cache[string, *hotFile]
	asked *otter.Cache[string, struct{}]
}

func newHotFiles() *hotFiles {
	return &hotFiles{
		kept: otter.Must(&otter.Options[string, *hotFile]{
			MaximumWeight:    hotMemory,
			Weigher:          func(key string, f *hotFile) uint32 { return f.weight(key) },
			ExpiryCalculator: otter.ExpiryAccessing[string, *hotFile](hotTime),
			OnDeletion:       func(e otter.DeletionEvent[string, *hotFile]) { e.Value.handles.close() },
		}),
		asked: otter.Must(&otter.Options[string, struct{}]{MaximumSize: hotFileKeys}),
	}
}

// find is a file that is ready.
func (h *hotFiles) find(key string) (*hotFile, bool) { return h.kept.GetIfPresent(key) }

// keep gets an opened file ready for the next who asks, unless it is large or asked for
// the first time. It returns the file to go on with, and closes the other one.
func (h *hotFiles) keep(key string, object *blob.Object) (*blob.Object, error) {
	_, inFolder := object.ReadSeekCloser.(folderFile)
	if size := object.Info.Size; size > hotOpenSize || size > hotFileSize && !inFolder {
		return object, nil
	}
	if _, again := h.asked.GetIfPresent(key); !again {
		h.asked.Set(key, struct{}{})
		return object, nil
	}
	if inFolder {
		f, found := h.find(key)
		if !found {
			f = newHotFile(object.Info)
			h.kept.Set(key, f)
		}
		return f.lend(object), nil
	}
	defer object.Close()
	f := newHotFile(object.Info)
	f.bytes = make([]byte, object.Info.Size)
	if _, err := io.ReadFull(object, f.bytes); err != nil {
		return nil, err
	}
	h.kept.Set(key, f)
	return f.open(), nil
}

// hotFile is a file that is ready.
type hotFile struct {
	info    blob.Info
	bytes   []byte // nil: it is in a folder, and open
	handles handles

	// Lines of the answer that are always the same.
	etag, modified, length []string
}

func newHotFile(info blob.Info) *hotFile {
	return &hotFile{
		info: info, etag: []string{`"` + info.ETag + `"`}, modified: []string{info.Modified.Format(http.TimeFormat)},
		length: []string{strconv.FormatInt(info.Size, 10)},
	}
}

func (f *hotFile) weight(key string) uint32 {
	if f.bytes == nil {
		return hotMemory / hotOpen
	}
	return uint32(len(key) + len(f.bytes) + 500)
}

// open is a file that is in memory, for who wants it otherwise than whole.
func (f *hotFile) open() *blob.Object {
	return &blob.Object{ReadSeekCloser: memoryBytes{bytes.NewReader(f.bytes)}, Info: f.info}
}

// memoryBytes is a file in memory, which needs no closing.
type memoryBytes struct{ *bytes.Reader }

func (memoryBytes) Close() error { return nil }

// isPlain tells whether a request wants the whole file, whatever there is already where
// it comes from.
func isPlain(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	for _, name := range []string{"Range", "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since"} {
		if _, asked := r.Header[name]; asked {
			return false
		}
	}
	return true
}

// send answers with the whole file as http.ServeContent does, with headers made before.
// from is a handle of the file if it is in a folder.
func (f *hotFile) send(w http.ResponseWriter, contentType string, from *os.File) {
	h := w.Header()
	h["Content-Type"] = []string{contentType}
	h["Content-Length"], h["Etag"], h["Last-Modified"] = f.length, f.etag, f.modified
	h["Accept-Ranges"] = acceptBytes
	if from == nil {
		_, _ = directWriter{w}.Write(f.bytes)
		return
	}
	_, _ = directWriter{w}.ReadFrom(&io.LimitedReader{R: from, N: f.info.Size})
}

var acceptBytes = []string{"bytes"}

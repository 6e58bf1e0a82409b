package video

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"stoa/internal/blob"
)

// What caches may do. The addresses of segments name the same bytes for ever, as a
// video is encoded once; everything else may be changed or taken away.
const (
	keepForever = "max-age=31536000, immutable"
	keepBriefly = "max-age=1"
	keepNot     = "no-cache"
)

// serveText answers with text that was made for the request, or 304, or a part of it.
func serveText(w http.ResponseWriter, r *http.Request, contentType string, text []byte) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("ETag", fmt.Sprintf(`"%.16x"`, sha256.Sum256(text)))
	http.ServeContent(directWriter{w}, r, "", time.Time{}, bytes.NewReader(text))
}

// serveObject answers with a stored file, or a part of it, or 304.
func serveObject(w http.ResponseWriter, r *http.Request, contentType string, object *blob.Object) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("ETag", `"`+object.Info.ETag+`"`)
	var content io.ReadSeeker = object
	switch from := object.ReadSeekCloser.(type) {
	case memoryBytes:
		content = from.Reader
	case folderFile:
		content = &fileBytes{from.File(), object.Info.Size}
	}
	http.ServeContent(directWriter{w}, r, "", object.Info.Modified, content)
}

// fileBytes is the beginning of a file, read at the position of the file itself.
type fileBytes struct {
	*os.File
	size int64
}

func (f *fileBytes) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		offset, whence = f.size+offset, io.SeekStart
	}
	return f.File.Seek(offset, whence)
}

func (f *fileBytes) Read(p []byte) (int, error) {
	at, err := f.File.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	if at >= f.size {
		return 0, io.EOF
	}
	return f.File.Read(p[:min(int64(len(p)), f.size-at)])
}

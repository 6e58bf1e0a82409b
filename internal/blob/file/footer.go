package file

import (
	"bytes"
	"errors"
	"io"
	"os"
	"time"

	"stoa/internal/blob"
)

// The footer is the content type, its length in one byte, the ETag, the mark.
const (
	mark      = "stoablob"
	etagSize  = 32
	tailSize  = 1 + etagSize + len(mark) // what follows the content type
	maxFooter = 255 + tailSize
)

func footer(info blob.Info) []byte {
	b := append([]byte(info.ContentType), byte(len(info.ContentType)))
	b = append(b, info.ETag...)
	return append(b, mark...)
}

// readFooter tells all of an object but its key. What is no object of ours is
// blob.ErrNotFound.
func readFooter(f *os.File) (blob.Info, error) {
	stat, err := f.Stat()
	if err != nil {
		return blob.Info{}, err
	}
	if !stat.Mode().IsRegular() {
		return blob.Info{}, blob.ErrNotFound
	}
	end := make([]byte, min(stat.Size(), int64(maxFooter)))
	if _, err := f.ReadAt(end, stat.Size()-int64(len(end))); err != nil && !errors.Is(err, io.EOF) {
		return blob.Info{}, err
	}
	info, size, ok := parseFooter(end)
	if !ok {
		return blob.Info{}, blob.ErrNotFound
	}
	info.Size = stat.Size() - int64(size)
	info.Modified = stat.ModTime().UTC().Truncate(time.Second)
	return info, nil
}

// parseFooter reads the end of a file, and tells how much of it is footer.
func parseFooter(end []byte) (info blob.Info, size int, ok bool) {
	if len(end) < tailSize || !bytes.HasSuffix(end, []byte(mark)) {
		return blob.Info{}, 0, false
	}
	typeEnd := len(end) - tailSize
	typeSize := int(end[typeEnd])
	if typeSize > typeEnd {
		return blob.Info{}, 0, false
	}
	info.ContentType = string(end[typeEnd-typeSize : typeEnd])
	info.ETag = string(end[typeEnd+1 : typeEnd+1+etagSize])
	return info, typeSize + tailSize, true
}

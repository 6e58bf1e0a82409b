package video

import (
	"io"

	"stoa/video/internal/form"
)

// smallFile reads the one file of a call, of at most so many bytes, and the fields
// beside it.
func (c *call) smallFile(limit int64) (content []byte, fields map[string]string, err error) {
	fields, err = form.Read(c.r, form.Options{Limit: limit}, func(f form.File) error {
		content, err = io.ReadAll(f.Body)
		return err
	})
	return content, fields, err
}

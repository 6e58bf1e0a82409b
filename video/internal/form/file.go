package form

import (
	"io"
	"maps"
	"mime/multipart"
	"strings"

	"stoa/video/internal/problem"
)

func (f *form) takeFile(part *multipart.Part, name string) error {
	if f.hasFile {
		return problem.MultipleFiles.WithDetail("Send one part with a file name.")
	}
	f.hasFile = true
	content := &content{form: f, part: part, left: f.Limit}
	if content.fill(); content.failed() {
		return content.err
	}
	if content.ahead == 0 && !f.Empty {
		return problem.FileEmpty.WithDetail("Send a file with at least one byte.")
	}
	err := f.file(File{
		Name: baseName(name), Body: content, Fields: maps.Clone(f.fields),
	})
	if content.failed() {
		return content.err // whatever became of it on its way through the function
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, content)
	return err
}

// baseName is a file name without the folders that some clients send.
func baseName(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// content is the bytes of the file. Its error stays: io.EOF after the last byte
// of a whole file only.
type content struct {
	form  *form
	part  *multipart.Part
	left  int64 // that may still come
	first [1]byte
	ahead int // bytes in first
	err   error
}

// fill looks whether there is a byte at all.
func (c *content) fill() { c.ahead, _ = c.Read(c.first[:]) }

// Read gives as much as p holds, unless the file ends: parts come in small bites,
// and whoever stores them should not have to write as many.
func (c *content) Read(p []byte) (n int, err error) {
	if len(p) > 0 && c.ahead > 0 {
		p[0], c.ahead, n = c.first[0], 0, 1
	}
	for n < len(p) && c.err == nil {
		var more int
		more, err = c.part.Read(p[n:])
		if int64(more) > c.left {
			more, err = int(c.left), problem.FileTooLarge.WithDetail("Send a file of at most %d bytes.", c.form.Limit)
		}
		n += more
		c.left -= int64(more)
		if err != nil && err != io.EOF {
			err = c.form.readError(err)
		}
		c.err = err
	}
	if n > 0 {
		return n, nil
	}
	return 0, c.err
}

func (c *content) failed() bool { return c.err != nil && c.err != io.EOF }

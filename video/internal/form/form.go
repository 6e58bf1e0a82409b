// Package form reads the multipart requests that carry a file, as they come: the
// file goes to a function, the fields beside it into a map. However long the
// file is, a request needs a buffer of 32 KiB.
//
// The file is the one part that has a file name, whatever its field is called:
// some clients name the field after the file. Fields may stand before and after.
package form

import (
	"bufio"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"stoa/video/internal/problem"
)

const (
	maxFields = 16
	maxField  = 4 << 10 // bytes of a value
	maxHeader = 8 << 10 // bytes between two parts
	buffer    = 32 << 10
)

// Options say which file is taken.
type Options struct {
	Limit int64 // bytes
	Empty bool  // a file without a byte is taken
}

// File is the part with a file name.
type File struct {
	Name   string // without folders; any text
	Body   io.Reader
	Fields map[string]string // that stood before the file
}

// Read hands the one file of a request to a function and returns the fields. A
// field that comes twice keeps its last value.
//
// An error may come after the function has returned: for a second file, or a
// request that breaks off behind the first. So what the function has kept counts
// only when Read returns without one. Errors of the client are a *problem.Error;
// those of the function come back as they are.
func Read(r *http.Request, o Options, file func(File) error) (map[string]string, error) {
	boundary, err := boundaryOf(r.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	body := &stream{from: bufio.NewReaderSize(r.Body, buffer)}
	f := &form{Options: o, body: body, parts: multipart.NewReader(body, boundary), fields: map[string]string{}, file: file}
	for {
		part, err := f.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := f.take(part); err != nil {
			return nil, err
		}
	}
	if !f.hasFile {
		return nil, problem.NoFile.WithDetail("Send the file as a part with a file name.")
	}
	return f.fields, nil
}

func boundaryOf(contentType string) (string, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" {
		return "", problem.NoFile.WithDetail("Send the file as multipart/form-data: the Content-Type says otherwise.")
	}
	boundary := params["boundary"]
	if boundary == "" || len(boundary) > 70 {
		return "", malformed("The Content-Type needs a boundary of 1 to 70 characters.")
	}
	return boundary, nil
}

func malformed(format string, args ...any) error {
	return problem.New(http.StatusBadRequest, "invalid-payload", "The body of the request cannot be read as a form.").
		WithDetail(format, args...)
}

// form is a request that is being read.
type form struct {
	Options
	body    *stream
	parts   *multipart.Reader
	fields  map[string]string
	count   int
	file    func(File) error
	hasFile bool
}

// next is the next part, or io.EOF behind the last.
func (f *form) next() (*multipart.Part, error) {
	f.body.allow(maxHeader)
	defer f.body.allow(unlimited)
	part, err := f.parts.NextRawPart()
	if err == nil || err == io.EOF {
		return part, err
	}
	if f.body.err != nil {
		return nil, f.body.err
	}
	return nil, malformed("Separate its parts as multipart/form-data asks.")
}

// take reads a part to its end.
func (f *form) take(part *multipart.Part) error {
	disposition, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil || disposition != "form-data" {
		return malformed("The Content-Disposition of a part cannot be read: write it as form-data with a name.")
	}
	if name := params["filename"]; name != "" {
		return f.takeFile(part, name)
	}
	return f.takeField(part, params["name"])
}

func (f *form) takeField(part io.Reader, name string) error {
	if f.count++; f.count > maxFields {
		return malformed("Send at most %d fields beside the file.", maxFields)
	}
	value, err := io.ReadAll(io.LimitReader(part, maxField+1))
	switch {
	case err != nil:
		return f.readError(err)
	case len(value) > maxField:
		return problem.Attribute(strings.ToValidUTF8(name, "\uFFFD"),
			"Send at most %d bytes in a field. A file needs a file name.", maxField)
	}
	f.fields[name] = string(value)
	return nil
}

// readError is what a part could not be read for: the request, or how it is
// written.
func (f *form) readError(err error) error {
	if f.body.err != nil {
		return f.body.err
	}
	if e, ok := errors.AsType[*problem.Error](err); ok {
		return e
	}
	return malformed("Separate its parts as multipart/form-data asks.")
}

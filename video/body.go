package video

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"stoa/video/internal/problem"
)

// maxBody bounds a JSON body.
const maxBody = 1 << 20

// body reads the JSON object of a call, field by field: a merge patch tells an
// absent field from one that is null. Unknown fields are passed over.
func (c *call) body() (fields, error) {
	text, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, problem.InvalidPayload.WithDetail("The body is larger than %d bytes: send less.", maxBody)
	}
	if err != nil {
		return nil, problem.InvalidPayload
	}
	var all fields
	if json.Unmarshal(text, &all) != nil || all == nil {
		return nil, problem.InvalidPayload
	}
	return all, nil
}

// fields is a JSON object, its values not yet read.
type fields map[string]json.RawMessage

// has tells whether a field is there, null or not.
func (f fields) has(name string) bool { _, there := f[name]; return there }

// null tells whether a field is there and is null.
func (f fields) null(name string) bool { return string(f[name]) == "null" }

// read reads a field into a value of its type, and leaves the value alone when the
// field is absent or null. want says what is allowed.
func (f fields) read(name string, value any, want string) *problem.Error {
	if !f.has(name) || f.null(name) {
		return nil
	}
	if json.Unmarshal(f[name], value) != nil {
		return problem.Attribute(name, "This value should be %s.", want)
	}
	return nil
}

// given reads a field that always has a value.
func (f fields) given(name string, value any, want string) *problem.Error {
	if f.null(name) {
		return problem.Attribute(name, "This value should be %s.", want)
	}
	return f.read(name, value, want)
}

// unset reads a text that null empties.
func (f fields) unset(name string, value *string) *problem.Error {
	if f.null(name) {
		*value = ""
	}
	return f.read(name, value, wantText)
}

// What fields want, in the words of refusals.
const (
	wantText  = "a string"
	wantBool  = "true or false"
	wantTexts = "a list of strings"
)

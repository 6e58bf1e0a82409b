// Package problem is what the video API answers when it cannot do what it was
// asked: one JSON shape, whose type is an address that ends in the kind.
//
//	return problem.NotFound("videoId")
//	return problem.Attribute("title", "Give a title of 1 to 1000 characters.")
//	return problem.FileTooLarge.WithDetail("Send at most %d bytes.", limit)
//
// Clients show the title, some the type and the name as well. The detail says
// what to do next.
package problem

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
)

// Base is what stands before the kind in the type of a problem.
const Base = "https://docs.api.video/reference/"

// Error is an answer in the one error shape of the API. Those that are declared
// here are shared: the With methods make copies.
type Error struct {
	Kind   string // last segment of the type address, such as "invalid-attribute"
	Status int
	Title  string
	Name   string // the parameter at fault
	Detail string

	// Problems is every problem of the request, and the first is this one itself.
	// Only for 400.
	Problems []*Error
}

// New makes an Error without name and detail.
func New(status int, kind, title string) *Error {
	return &Error{Kind: kind, Status: status, Title: title}
}

func (e *Error) Error() string {
	text := e.Kind
	if e.Name != "" {
		text += " " + e.Name
	}
	if e.Detail != "" {
		return text + ": " + e.Detail
	}
	return text + ": " + e.Title
}

// Is tells whether target is of the same kind, so that errors.Is(err, FileEmpty)
// works whatever the name and the detail are.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && other.Kind == e.Kind && other.Status == e.Status
}

// WithName is the same error with the parameter at fault.
func (e *Error) WithName(name string) *Error {
	named := *e
	named.Name = name
	return &named
}

// WithDetail is the same error with a sentence that says what to do.
func (e *Error) WithDetail(format string, args ...any) *Error {
	detailed := *e
	detailed.Detail = fmt.Sprintf(format, args...)
	return &detailed
}

// Attribute is a field of the body, or an id in the path, that cannot be taken.
func Attribute(name, format string, args ...any) *Error {
	return New(http.StatusBadRequest, "invalid-attribute", "An attribute is invalid.").
		WithName(name).WithDetail(format, args...)
}

// Required is a field that is absent.
func Required(name string) *Error {
	return New(http.StatusBadRequest, "attribute-required", "An attribute is required.").
		WithName(name).WithDetail("Give the attribute %q.", name)
}

// Query is a parameter of the query that cannot be taken.
func Query(name, format string, args ...any) *Error {
	return New(http.StatusBadRequest, kindQuery, "A query parameter is invalid.").
		WithName(name).WithDetail(format, args...)
}

const kindQuery = "request-invalid-query-parameter"

// NotFound is a resource that is not there. The name is that of the parameter in
// the path, such as "videoId".
func NotFound(name string) *Error {
	return New(http.StatusNotFound, "resource-not-found", "The requested resource was not found.").WithName(name)
}

// Unrecognized is a path that nothing is served at.
func Unrecognized() *Error {
	return New(http.StatusNotFound, "unrecognized-request-url", "Unrecognized request URL.")
}

// All is the first problem with all of them in Problems, each once. nil if there
// is none.
func All(problems ...*Error) error {
	var all []*Error
	for _, p := range problems {
		if p != nil && !slices.ContainsFunc(all, p.equal) {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil
	}
	first := *all[0]
	first.Problems = all
	return &first
}

// Join is one refusal with the problems of several, in their order. nil if there is
// none. An error that is no refusal goes before them all.
func Join(refusals ...error) error {
	var all []*Error
	for _, err := range refusals {
		e, refused := errors.AsType[*Error](err)
		switch {
		case err == nil:
		case !refused:
			return err
		case len(e.Problems) == 0:
			all = append(all, e)
		default:
			all = append(all, e.Problems...)
		}
	}
	return All(all...)
}

func (e *Error) equal(other *Error) bool {
	return e.Kind == other.Kind && e.Name == other.Name && e.Detail == other.Detail && e.Title == other.Title
}

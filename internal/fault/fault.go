// Package fault names the few kinds of failure that a caller can be told about.
//
// A *Error is safe to show to a stranger; any other error is for the log, and
// the edge answers "internal error" in its place. Each edge has one table from
// Kind to its own codes.
package fault

import "fmt"

// Kind says whose fault it is and whether to try again. It is itself an error,
// so that errors.Is(err, fault.Invalid) works.
type Kind string

const (
	Invalid     Kind = "invalid"     // the caller must change something
	NotFound    Kind = "not found"   // what the caller names is not there
	TooLarge    Kind = "too large"   // the caller sent more than is taken
	Unavailable Kind = "unavailable" // may work later as it is
	Internal    Kind = "internal"    // a bug of ours: the log has more
)

func (k Kind) Error() string { return string(k) }

// Error is a failure with a message for the caller.
type Error struct {
	Kind    Kind
	Message string
	cause   error
}

// New makes an Error; declared as a variable, it is a sentinel.
func New(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// Wrap gives an error a kind, its own text being fit for the caller.
func Wrap(kind Kind, err error) *Error {
	return &Error{Kind: kind, Message: err.Error(), cause: err}
}

func (e *Error) Error() string { return e.Message }

// Unwrap leads to the kind and to the cause, if any.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.cause}
}

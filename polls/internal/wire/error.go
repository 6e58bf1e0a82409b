package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"stoa/internal/fault"
)

// Error is a refusal as the caller sees it. The message is one sentence without
// anything secret; it says what to do, or what must hold.
type Error struct {
	Code    Code
	Field   string // the offending parameter; empty when there is none
	Message string

	// RetryAfter is sent in whole seconds, rounded up. When it is zero,
	// rate_limited and unavailable still send one second.
	RetryAfter time.Duration
}

// Errorf makes an Error. An empty field is null on the wire.
func Errorf(code Code, field, format string, args ...any) *Error {
	return &Error{Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

// Missing is the refusal of a request without a parameter that it needs.
func Missing(field string) *Error {
	return Errorf(MissingParameter, field, "%s is required", field)
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Refuse is what the caller is told about an error. Only an [*Error] speaks for
// itself: the text of any other is for the log, which is the business of whoever
// calls Refuse.
func Refuse(err error) *Error {
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	for _, passing := range []error{fault.Unavailable, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, passing) {
			return Errorf(Unavailable, "", "the service cannot do this now; try again in a moment")
		}
	}
	return Errorf(Internal, "", "something went wrong on our side; tell us the X-Request-Id of this answer")
}

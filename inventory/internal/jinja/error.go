package jinja

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is a fault in a template or in what it computes.
type Error struct {
	Line, Column int // from 1; columns count code points
	Message      string
	Err          error // what a lookup or a Lazy value answered, nil otherwise
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }

// placedError is an error on its way out: a byte offset instead of a line.
// Being its own type it cannot be mixed up with the *Error of another template
// that a Lazy value brings along.
type placedError struct {
	offset  int
	message string
	cause   error
}

func (e *placedError) Error() string { return e.message }

func failAt(offset int, format string, args ...any) error {
	return &placedError{offset: offset, message: fmt.Sprintf(format, args...)}
}

// placed gives err a place unless it has one, which is then the inner one.
func placed(offset int, err error) error {
	if err == nil {
		return nil
	}
	if p, ok := err.(*placedError); ok {
		return p
	}
	e := &placedError{offset: offset, message: err.Error()}
	if _, own := err.(plainError); !own {
		e.cause = err
	}
	return e
}

// plainError is a message of this package that has no place yet.
type plainError string

func (e plainError) Error() string { return string(e) }

func fail(format string, args ...any) error {
	return plainError(fmt.Sprintf(format, args...))
}

// public turns an inner error into the *Error that callers see.
func public(source string, err error) error {
	p, ok := errors.AsType[*placedError](err)
	if !ok {
		p = &placedError{message: err.Error(), cause: err}
	}
	line, column := position(source, p.offset)
	return &Error{Line: line, Column: column, Message: p.message, Err: p.cause}
}

func position(source string, offset int) (line, column int) {
	before := source[:min(offset, len(source))]
	line = strings.Count(before, "\n") + 1
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return line, utf8.RuneCountInString(before) + 1
}

package console

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/polls"
)

// call is a request of an operator to the API.
type call struct {
	w        http.ResponseWriter
	r        *http.Request
	operator polls.User
}

var (
	errSignedOut   = &refusal{http.StatusUnauthorized, "signed_out", "log in first, with an account of an operator"}
	errNotOperator = &refusal{http.StatusForbidden, "not_operator", "this account is not an operator's; log in with one that is, or make one: stoa user create --operator NAME"}
)

// forOperator lets operators through, and nobody else.
func (c *Console) forOperator(serve func(*call) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", "no-store")
		user, known, err := c.Polls.Visitor(w, r)
		switch {
		case err != nil:
			return err
		case !known:
			return errSignedOut
		case !user.Operator:
			return errNotOperator
		}
		return serve(&call{w: w, r: r, operator: user})
	}
}

// maxBody is how long a request may be; cluster documents and rule files are the longest.
const maxBody = 4 << 20

// read reads the body, which is one JSON object with names that are known.
func (c *call) read(to any) error {
	d := json.NewDecoder(http.MaxBytesReader(c.w, c.r.Body, maxBody))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("there is something after the object")
		}
	}
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return fault.New(fault.TooLarge, "the body is longer than %d bytes", maxBody)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fault.New(fault.Invalid, "the body is not the JSON that is wanted: %s is a JSON %s", cmp.Or(wrong.Field, "it"), wrong.Value)
	}
	if err != nil {
		return fault.New(fault.Invalid, "the body is not the JSON that is wanted: %v", err)
	}
	return nil
}

// answer answers with JSON.
func (c *call) answer(v any) error { return writeJSON(c.w, http.StatusOK, v) }

// done answers that there is nothing to say.
func (c *call) done() error {
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // a caller that has left is told nothing
	return nil
}

package problem

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"stoa/internal/fault"
)

// JSON answers with v. The content type is exactly application/json: a client
// takes no other. On an error nothing has been written yet.
func JSON(w http.ResponseWriter, status int, v any) error {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // the client may have gone; there is nobody else to tell
	return nil
}

// Write answers with an error and returns the status. What is neither an *Error
// nor a *fault.Error is a bug or an accident of ours: the answer is 500 and says
// no more, and the caller logs it. Headers that describe another body go.
func Write(w http.ResponseWriter, err error) (status int) {
	e := of(err)
	h := w.Header()
	for _, name := range []string{"Content-Encoding", "Content-Disposition", "Content-Range", "Accept-Ranges", "ETag", "Last-Modified"} {
		h.Del(name)
	}
	h.Set("Cache-Control", "no-store")
	_ = JSON(w, e.Status, e.wire()) // strings and numbers can always be encoded
	return e.Status
}

var internal = New(http.StatusInternalServerError, "internal-error", "An internal error occurred: try again later.")

// statusClientGone is what the log shows of a request whose client did not wait.
const statusClientGone = 499

// of finds the answer in an error.
func of(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return ofFault(e)
	}
	if e, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return InvalidPayload.WithDetail("Send at most %d bytes.", e.Limit)
	}
	if errors.Is(err, context.Canceled) {
		return New(statusClientGone, "request-cancelled", "The request was cancelled.")
	}
	return internal
}

func ofFault(e *fault.Error) *Error {
	switch e.Kind {
	case fault.Invalid, fault.TooLarge:
		return New(http.StatusBadRequest, "invalid-attribute", "An attribute is invalid.").WithDetail("%s", e.Message)
	case fault.NotFound:
		return New(http.StatusNotFound, "resource-not-found", "The requested resource was not found.")
	case fault.Unavailable:
		return New(http.StatusServiceUnavailable, "service-unavailable", "The service cannot answer now: try again later.").
			WithDetail("%s", e.Message)
	default:
		return internal
	}
}

// answer is an Error on the wire. Its models differ in what may be there: a name
// is a string, and null where a 403 has none; problems are only in a 400, and
// not in that of a query parameter unless there are several to tell.
type answer struct {
	Type     string `json:"type"`
	Title    string `json:"title"`
	Status   int    `json:"status"`
	Name     any    `json:"name,omitempty"`
	Detail   string `json:"detail,omitempty"`
	Problems any    `json:"problems,omitempty"`
}

func (e *Error) wire() answer {
	a := e.wireAlone()
	if e.Status != http.StatusBadRequest {
		return a
	}
	all := e.Problems
	if len(all) == 0 && e.Kind != kindQuery {
		all = []*Error{e}
	}
	if len(all) > 0 {
		problems := make([]answer, len(all))
		for i, p := range all {
			problems[i] = p.wireAlone()
		}
		a.Problems = problems
	}
	return a
}

func (e *Error) wireAlone() answer {
	a := answer{Type: Base + e.Kind, Title: e.Title, Status: e.Status, Detail: e.Detail}
	switch {
	case e.Name != "":
		a.Name = e.Name
	case e.Status == http.StatusForbidden:
		a.Name = json.RawMessage("null")
	}
	return a
}

package console

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"stoa/internal/db"
	"stoa/internal/fault"
	"stoa/internal/web"
	"stoa/polls"
)

// refusal is what a caller of the API is told instead of an answer.
type refusal struct {
	status        int
	code, message string
}

func (r *refusal) Error() string { return r.message }

// refusals is how each kind of failure is answered.
var refusals = []struct {
	kind   fault.Kind
	status int
	code   string
}{
	{fault.Invalid, http.StatusBadRequest, "invalid"},
	{fault.NotFound, http.StatusNotFound, "not_found"},
	{fault.TooLarge, http.StatusRequestEntityTooLarge, "too_large"},
	{fault.Unavailable, http.StatusServiceUnavailable, "unavailable"},
}

var errInternal = &refusal{http.StatusInternalServerError, "internal", "something is wrong on our side; the log has more"}

// refuse answers an error, and logs what is our own fault.
func (c *Console) refuse(w http.ResponseWriter, r *http.Request, err error) {
	told := refusalOf(err)
	left := errors.Is(err, context.Canceled) && r.Context().Err() != nil // there is nobody to answer
	if told.status >= http.StatusInternalServerError && !left {
		c.Log.Error("answer an operator", "route", r.Pattern, "request_id", web.RequestID(w), "error", err)
	}
	tell(w, told)
}

func refusalOf(err error) *refusal {
	if told, ok := errors.AsType[*refusal](err); ok {
		return told
	}
	if db.IsUnavailable(err) || errors.Is(err, db.ErrUnknownOutcome) {
		return &refusal{http.StatusServiceUnavailable, "unavailable", "the database does not answer; try again"}
	}
	if f, ok := errors.AsType[*fault.Error](err); ok {
		for _, known := range refusals {
			if known.kind == f.Kind {
				return &refusal{known.status, known.code, f.Message}
			}
		}
	}
	if status, message, ok := polls.Refusal(err); ok {
		return &refusal{status, codeOf(status), message}
	}
	return errInternal
}

// codeOf is the code of a status, the same whoever refuses.
func codeOf(status int) string {
	for _, known := range refusals {
		if known.status == status {
			return known.code
		}
	}
	return strings.ToLower(strings.ReplaceAll(http.StatusText(status), " ", "_"))
}

func tell(w http.ResponseWriter, told *refusal) {
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	_ = writeJSON(w, told.status, struct { // strings are always JSON
		Error body `json:"error"`
	}{body{told.code, told.message}})
}

func methodNotAllowed(w http.ResponseWriter, _ *http.Request, allow string) {
	w.Header().Set("Allow", allow)
	tell(w, &refusal{http.StatusMethodNotAllowed, "method_not_allowed", "this address takes " + allow})
}

func (c *Console) notFound(w http.ResponseWriter, _ *http.Request) {
	tell(w, &refusal{http.StatusNotFound, "not_found", "there is nothing at this address; see " + c.Origin + DocsPath})
}

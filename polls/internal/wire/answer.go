package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

var contentType = []string{"application/json; charset=utf-8"} // shared, as nosniff is

// JSON answers with v. On an error nothing has been written yet.
func JSON(w http.ResponseWriter, status int, v any) error {
	buf := answers.Get().(*bytes.Buffer)
	defer answers.Put(buf)
	buf.Reset()
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode answer: %w", err)
	}
	Encoded(w, status, bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
	return nil
}

var answers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Encoded answers with JSON that is ready to be sent.
func Encoded(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h["Content-Type"] = contentType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone; there is nobody else to tell
}

// Write answers with the error. Headers that are set already are sent too.
func (e *Error) Write(w http.ResponseWriter) {
	if seconds := e.retryAfter(); seconds > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	if e.Code == BodyTooLarge {
		hangUp(w)
	}
	var body errorBody
	body.Error.Code, body.Error.Message = e.Code, e.Message
	if e.Field != "" {
		body.Error.Field = &e.Field
	}
	_ = JSON(w, e.Code.Status(), body) // three strings can always be encoded
}

type errorBody struct {
	Success bool `json:"success"`
	Error   struct {
		Code    Code    `json:"code"`
		Message string  `json:"message"`
		Field   *string `json:"field"`
	} `json:"error"`
}

func (e *Error) retryAfter() int {
	after := e.RetryAfter
	if e.Code == RateLimited || e.Code == Unavailable {
		after = max(after, time.Second)
	}
	return int((after + time.Second - 1) / time.Second)
}

// linger is how long a connection that is being closed still takes what the
// client is sending: closed at once, it could take the answer with it.
const linger = 500 * time.Millisecond

// hangUp makes the server answer before it has read the request's body, and
// close the connection then. It must be called before the answer is written.
func hangUp(w http.ResponseWriter) {
	w.Header().Set("Connection", "close")
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(linger)) // not every writer has a connection
}

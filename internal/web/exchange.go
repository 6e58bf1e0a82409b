package web

import (
	"io"
	"math/rand/v2"
	"net/http"
)

// exchange is the answer to one request, and what is counted of it.
type exchange struct {
	http.ResponseWriter
	route  *route
	id     [1]string // as a header has it
	status int       // 0: nothing was written yet
	sent   int64     // bytes of the body
}

func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) { // else another follows
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(p []byte) (int, error) {
	n, err := x.ResponseWriter.Write(p)
	x.sent += int64(n)
	return n, err
}

func (x *exchange) WriteString(s string) (int, error) {
	n, err := io.WriteString(x.ResponseWriter, s)
	x.sent += int64(n)
	return n, err
}

// ReadFrom lets the system send a file by itself.
func (x *exchange) ReadFrom(r io.Reader) (int64, error) {
	to, ok := x.ResponseWriter.(io.ReaderFrom)
	if !ok { // HTTP/2
		return io.Copy(struct{ io.Writer }{x}, r)
	}
	n, err := to.ReadFrom(r)
	x.sent += n
	return n, err
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// class is the first digit of the status, 0 for one that has none.
func (x *exchange) class() int {
	switch c := x.status / 100; {
	case x.status == 0:
		return 2 // what the server answers for a handler that did not say
	case c < len(classes):
		return c
	}
	return 0
}

// RequestID is what an answer is found by in the log.
func RequestID(w http.ResponseWriter) string {
	if id := w.Header()["X-Request-Id"]; len(id) > 0 {
		return id[0]
	}
	return ""
}

// requestID is the caller's own if it is fit for a log, or else a new one.
func requestID(r *http.Request) string {
	if sent := r.Header["X-Request-Id"]; len(sent) > 0 && fitForLog(sent[0]) {
		return sent[0]
	}
	return newRequestID()
}

// newRequestID need not be hard to guess, only unlike others.
func newRequestID() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
	var id [26]byte
	for i := 0; i < len(id); i += 13 {
		bits := rand.Uint64()
		for j := range 13 {
			id[i+j] = letters[bits>>(5*j)%32]
		}
	}
	return string(id[:])
}

func fitForLog(id string) bool {
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return 0 < len(id) && len(id) <= 64
}

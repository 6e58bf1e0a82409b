package wire

import (
	"context"
	"math/rand/v2"
	"net/http"
)

// Headers gives every answer its X-Request-Id and forbids browsers to guess
// types. The id is the caller's own when it sends one that is fit for a log.
func Headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !wellFormed(id) {
			id = newRequestID()
		}
		h := w.Header()
		h["X-Request-Id"] = []string{id}
		h["X-Content-Type-Options"] = nosniff
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestID{}, id)))
	})
}

// Values that many answers share. Nobody may change them in place; who sets or
// adds another makes a new one.
var nosniff = []string{"nosniff"}

type requestID struct{}

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

// RequestID is the id of the request that a context belongs to, empty when it
// has not come through [Headers].
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestID{}).(string)
	return id
}

func wellFormed(id string) bool {
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return 0 < len(id) && len(id) <= 64
}

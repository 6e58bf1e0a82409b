package wire

import "net/http"

// Headers forbids browsers to guess types, in every answer.
func Headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Content-Type-Options"] = nosniff
		next.ServeHTTP(w, r)
	})
}

// Values that many answers share. Nobody may change them in place; who sets or
// adds another makes a new one.
var nosniff = []string{"nosniff"}

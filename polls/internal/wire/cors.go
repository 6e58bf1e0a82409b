package wire

import (
	"net/http"
	"strings"
)

const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	corsHeaders = "Authorization, Content-Type, Idempotency-Key"
	corsExposed = "Link, Location, X-Total-Count, X-Page, X-Per-Page, Retry-After, " +
		"RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, ETag"
	corsMaxAge = "86400" // seconds
)

var anyOrigin, exposed = []string{"*"}, []string{corsExposed} // shared, as nosniff is

// CORS opens the API and the upload receiver to pages of any origin, and answers
// every OPTIONS request there. Credentials are never allowed: a page of another
// site must not act by the cookies of ours. Other paths are left as they are.
func CORS(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !below(r.URL.Path, "/api/v4") && !below(r.URL.Path, "/storage") {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h["Access-Control-Allow-Origin"] = anyOrigin
		h["Access-Control-Expose-Headers"] = exposed
		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", corsMethods)
		h.Set("Access-Control-Allow-Headers", corsHeaders)
		h.Set("Access-Control-Max-Age", corsMaxAge)
		w.WriteHeader(http.StatusNoContent)
	})
}

// below tells whether a path is a folder or lies in it.
func below(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == '/')
}

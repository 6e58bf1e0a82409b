package video

import "net/http"

// crossOrigin lets pages of any origin call. No cookie opens the API, so that gives
// nobody more than he has; media read their sessions by themselves.
func crossOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h["Access-Control-Allow-Origin"] = anyOrigin
		h["X-Content-Type-Options"] = nosniff
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Content-Range, Range, "+
				"AV-Origin-Client, AV-Origin-App, AV-Origin-Sdk, X-Token-Session")
			h.Set("Access-Control-Max-Age", "86400") // seconds
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h["Access-Control-Expose-Headers"] = exposed
		next.ServeHTTP(w, r)
	})
}

// Values that all answers share. Nobody may change them in place; who sets or adds
// another makes a new one.
var (
	anyOrigin = []string{"*"}
	nosniff   = []string{"nosniff"}
	exposed   = []string{"X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Retry-After, " +
		"Content-Length, Content-Range, X-Environment, X-Request-Id"}
)

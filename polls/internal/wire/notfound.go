package wire

import (
	"net/http"
	"strconv"
	"strings"
)

// NotFound answers for every path that is not offered, before it has read more
// of the request than its headers. The page is for people, outside the API; it
// must answer with status 404 itself.
func NotFound(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			hangUp(w)
		}
		switch {
		case below(r.URL.Path, "/api"):
			unknownCall(r.URL.Path).Write(w)
		case below(r.URL.Path, "/storage"):
			Errorf(Unknown, "", "there is nothing at this path").Write(w)
		default:
			w.Header().Add("Vary", "Accept")
			if acceptsHTML(r) {
				page.ServeHTTP(w, r)
				return
			}
			Encoded(w, http.StatusNotFound, []byte(`{"status":404,"message":"Not Found"}`))
		}
	})
}

func unknownCall(path string) *Error {
	version, _, _ := strings.Cut(strings.Trim(strings.TrimPrefix(path, "/api"), "/"), "/")
	switch {
	case version == "" || version == "." || version == ".." || version == "v4" || version == "operator":
		return Errorf(Unknown, "", "the API has nothing at this path")
	case len(version) > 32 || strings.ContainsFunc(version, odd):
		return Errorf(UnknownVersion, "", "this API version is not offered; use v4")
	}
	return Errorf(UnknownVersion, "", "API version %s is not offered; use v4", version)
}

// odd is what no name of a version has, and is not repeated.
func odd(c rune) bool {
	return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("-_.", c)
}

// acceptsHTML asks for the type by its name: programs that take anything are
// served better by JSON.
func acceptsHTML(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	for _, header := range r.Header.Values("Accept") {
		for media := range strings.SplitSeq(header, ",") {
			name, options, _ := strings.Cut(media, ";")
			if strings.EqualFold(strings.TrimSpace(name), "text/html") && !refused(options) {
				return true
			}
		}
	}
	return false
}

// refused tells whether the options of a media type say q=0.
func refused(options string) bool {
	for option := range strings.SplitSeq(options, ";") {
		name, q, _ := strings.Cut(strings.TrimSpace(option), "=")
		if !strings.EqualFold(name, "q") {
			continue
		}
		weight, err := strconv.ParseFloat(q, 64)
		return err == nil && weight == 0
	}
	return false
}

// MethodNotAllowed answers for a path that is offered with other methods only.
func MethodNotAllowed(w http.ResponseWriter, _ *http.Request, allow string) {
	w.Header().Set("Allow", allow)
	Errorf(WrongMethod, "", "this path takes %s only", allow).Write(w)
}

// Package web is what the HTTP services share: routes as data, handlers that
// return errors, where a request comes from, and what is counted of it.
package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Handler answers a request, or returns an error for MuxOptions.Error to answer.
// Then it must have written nothing.
type Handler func(http.ResponseWriter, *http.Request) error

// Routes are handlers by patterns of the standard library's mux, such as
// "GET /polls/{id}". A GET pattern takes HEAD as well. With nil for a handler the method
// is not allowed there, though a wider pattern would take it.
type Routes map[string]Handler

// MuxOptions say what is answered where no handler does.
type MuxOptions struct {
	NotFound         http.Handler
	MethodNotAllowed func(w http.ResponseWriter, r *http.Request, allow string)
	Error            func(w http.ResponseWriter, r *http.Request, err error)

	// Matched is told the pattern before the handler runs, and "" when there is
	// none. May be nil.
	Matched func(w http.ResponseWriter, r *http.Request, pattern string)
}

// NewMux serves routes. Unlike the standard mux it never cleans a path and never
// redirects: one slash at the end makes no difference, and a path with an empty,
// "." or ".." segment, percent-encoded or not, is unknown. A %2F belongs to its
// segment. Patterns must not end in a slash, except that "/{$}" is the root; like
// those that contradict each other, they make NewMux panic.
func NewMux(routes Routes, o MuxOptions) http.Handler {
	m := &mux{options: o, std: http.NewServeMux()}
	m.std.Handle("/", unmatched{m})
	for pattern, handler := range routes {
		m.add(pattern, handler)
	}
	m.closeFolders(routes)
	slices.Sort(m.methods)
	m.methods = slices.Compact(m.methods)
	return m
}

type mux struct {
	options MuxOptions
	std     *http.ServeMux
	methods []string // that any route has, sorted
}

type matched struct {
	*mux
	pattern string
	handler Handler
}

type unmatched struct{ *mux }

func (m *mux) add(pattern string, handler Handler) {
	method, path := split(pattern)
	if root := strings.TrimSuffix(path, "{$}"); root != "/" && strings.HasSuffix(root, "/") || path == "/" {
		panic(fmt.Sprintf("web: pattern %q ends in a slash: leave it out", pattern))
	}
	if handler == nil {
		m.std.Handle(pattern, unmatched{m})
		return
	}
	m.std.Handle(pattern, matched{m, pattern, handler})
	if method != "" {
		m.methods = append(m.methods, method)
	}
	if method == http.MethodGet {
		m.methods = append(m.methods, http.MethodHead)
	}
}

// closeFolders keeps the standard mux from redirecting /files to /files/ when
// there is a pattern like "GET /files/{name...}".
func (m *mux) closeFolders(routes Routes) {
	closed := map[string]bool{"": true}
	for pattern := range routes {
		_, path := split(pattern)
		if !strings.HasSuffix(path, "...}") {
			continue
		}
		folder := strings.TrimSuffix(path[:strings.LastIndexByte(path, '{')], "/")
		if _, taken := routes[folder]; !taken && !closed[folder] {
			closed[folder] = true
			m.std.Handle(folder, unmatched{m})
		}
	}
}

func split(pattern string) (method, path string) {
	if method, path, ok := strings.Cut(pattern, " "); ok {
		return method, strings.TrimLeft(path, " \t")
	}
	return "", pattern
}

func (m *mux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	if !clean(path) {
		m.notFound(w, r)
		return
	}
	if len(path) > 1 && path[len(path)-1] == '/' {
		r = withoutSlash(r)
	}
	m.std.ServeHTTP(w, r)
}

// clean tells whether a path begins with a slash and has no segment that the
// standard mux would clean away, or take for a slash at the end.
func clean(escaped string) bool {
	rest, ok := strings.CutPrefix(escaped, "/")
	if !ok {
		return false
	}
	rest = strings.TrimSuffix(rest, "/")
	if rest == "" {
		return len(escaped) == 1
	}
	for segment := range strings.SplitSeq(rest, "/") {
		plain, err := url.PathUnescape(segment)
		if err != nil || plain == "" || plain == "." || plain == ".." || plain == "/" {
			return false
		}
	}
	return true
}

func withoutSlash(r *http.Request) *http.Request {
	u := *r.URL
	u.Path = strings.TrimSuffix(u.Path, "/")
	u.RawPath = strings.TrimSuffix(u.RawPath, "/")
	same := *r
	same.URL = &u
	return &same
}

func (h matched) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.tell(w, r, h.pattern)
	if err := h.handler(w, r); err != nil {
		h.options.Error(w, r, err)
	}
}

func (h unmatched) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	allow := h.allowed(r)
	if len(allow) == 0 {
		h.notFound(w, r)
		return
	}
	h.tell(w, r, "")
	h.options.MethodNotAllowed(w, r, strings.Join(allow, ", "))
}

// allowed are the methods that would have found a handler.
func (m *mux) allowed(r *http.Request) []string {
	var allow []string
	probe := *r
	for _, probe.Method = range m.methods {
		handler, _ := m.std.Handler(&probe)
		if _, known := handler.(matched); known {
			allow = append(allow, probe.Method)
		}
	}
	return allow
}

func (m *mux) notFound(w http.ResponseWriter, r *http.Request) {
	m.tell(w, r, "")
	m.options.NotFound.ServeHTTP(w, r)
}

func (m *mux) tell(w http.ResponseWriter, r *http.Request, pattern string) {
	if m.options.Matched != nil {
		m.options.Matched(w, r, pattern)
	}
}

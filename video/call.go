package video

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"

	"stoa/internal/web"
	"stoa/video/internal/problem"
)

// call is one request to the API by somebody who may.
type call struct {
	caller
	w http.ResponseWriter
	r *http.Request
}

// endpoint answers a call.
type endpoint func(*call) error

// read, write and upload are endpoints of the API, by what is counted of them.
func (s *Service) read(serve endpoint) web.Handler   { return s.api(readCall, serve) }
func (s *Service) write(serve endpoint) web.Handler  { return s.api(writeCall, serve) }
func (s *Service) upload(serve endpoint) web.Handler { return s.api(uploadCall, serve) }

func (s *Service) api(kind callKind, serve endpoint) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		caller, err := s.authenticate(r)
		if err != nil {
			return err
		}
		if err := checkQuery(r); err != nil {
			return err
		}
		if err := s.limit(w, r, caller.limitOf(kind)); err != nil {
			return err
		}
		return serve(&call{*caller, w, r})
	}
}

// authenticate finds out who calls, by the key itself or by a token.
func (s *Service) authenticate(r *http.Request) (*caller, error) {
	header := r.Header.Get("Authorization")
	if header == "" {
		return nil, problem.MissingAuthorization
	}
	scheme, value, _ := strings.Cut(header, " ")
	value = strings.TrimSpace(value)
	switch {
	case strings.EqualFold(scheme, "Bearer") && value != "":
		return s.byToken(r.Context(), value)
	case strings.EqualFold(scheme, "Basic"):
		plain, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			return nil, problem.InvalidAuthorization
		}
		key, _, _ := strings.Cut(string(plain), ":") // there is no password
		return s.byKey(r.Context(), key)
	}
	return nil, problem.InvalidAuthorization
}

// checkQuery refuses a query that cannot be read as a whole, of which URL.Query would
// leave something out: a list without its filter has too much. A semicolon is a character
// like others, as it is to browsers.
func checkQuery(r *http.Request) error {
	r.URL.RawQuery = strings.ReplaceAll(r.URL.RawQuery, ";", "%3B")
	for parameter := range strings.SplitSeq(r.URL.RawQuery, "&") {
		if _, err := url.QueryUnescape(parameter); err != nil {
			name, _, _ := strings.Cut(parameter, "=")
			return problem.All(problem.Query(name, "A %% must be followed by two hexadecimal digits. Write %%25 for the sign itself."))
		}
	}
	return nil
}

// json answers with a value.
func (c *call) json(status int, v any) error { return problem.JSON(c.w, status, v) }

// done is the answer of a deletion. It must not have a content type: some clients
// would try to read it.
func (c *call) done() error {
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

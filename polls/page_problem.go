package polls

import (
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"stoa/polls/internal/wire"
	"stoa/polls/pages"
)

// showProblem is the page for what went wrong.
func (s *Service) showProblem(v *visit, err error) error {
	refusal := s.refusal(v.w, v.r, err)
	status := refusal.Code.Status()
	switch {
	case refusal.Code == wire.AuthenticationRequired:
		return v.goTo("/login?next=" + url.QueryEscape(v.common.Here))
	case status == http.StatusNotFound && v.r.Method != http.MethodPost:
		s.notFound().ServeHTTP(v.w, v.r)
		return nil
	case status == http.StatusNotFound:
		return s.render(v, status, pages.NotFound{Common: v.common})
	}
	v.retryAfter(refusal)
	return s.render(v, status, pages.Message{Common: v.common, Title: problemTitle(status), Text: sentence(refusal)})
}

func problemTitle(status int) string {
	switch status {
	case http.StatusForbidden:
		return "Not allowed"
	case http.StatusTooManyRequests:
		return "One moment, please"
	case http.StatusInternalServerError:
		return "Something went wrong"
	case http.StatusServiceUnavailable:
		return "Back in a moment"
	}
	return "That did not work"
}

// formErrors says at the fields of a form why it was refused. A name is that of a
// parameter, "parameter:field" where the form calls it otherwise, and ":field" for
// all that belongs to no other; without that it stands above the form.
func (s *Service) formErrors(v *visit, err error, names ...string) (pages.Errors, int) {
	refusal := s.refusal(v.w, v.r, err)
	v.retryAfter(refusal)
	at := ""
	for _, name := range names {
		param, field, renamed := strings.Cut(name, ":")
		if !renamed {
			field = param
		}
		if param == "" {
			at = field
		}
		if param == refusal.Field {
			at = field
			break
		}
	}
	return pages.Errors{at: sentence(refusal)}, refusal.Code.Status()
}

// sentence is what a person reads. The names of parameters are for programs.
func sentence(refusal *wire.Error) string {
	switch refusal.Code {
	case wire.MissingParameter:
		return "Please fill this in."
	case wire.InvalidURL:
		return "Please give an address that begins with http:// or https://."
	}
	first, size := utf8.DecodeRuneInString(refusal.Message)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(refusal.Message[size:], ".") + "."
}

package polls

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"stoa/internal/web"
	"stoa/polls/internal/wire"
	"stoa/polls/pages"
)

// visit is a request to one of our own pages. Unlike a call of the API it goes by
// cookies alone.
type visit struct {
	call
	form   url.Values // what the form and the address say; an empty text is one
	common pages.Common
}

func (s *Service) newVisit(w http.ResponseWriter, r *http.Request) *visit {
	return &visit{call: call{w: w, r: r, address: web.ClientAddress(r, s.Proxies)}}
}

// enter reads what was sent and finds out who it is. Forms that another site sends
// are refused, for the browser adds our cookies to some of them.
func (s *Service) enter(v *visit) error {
	v.common.Here = withoutNotice(v.r.URL)
	if err := s.ownForms.Check(v.r); err != nil {
		return wire.Errorf(wire.Forbidden, "", "this form came from another site; open the page here and try again")
	}
	if err := v.readForm(); err != nil {
		return err
	}
	var err error
	if v.viewer, err = s.byCookies(v.r.Context(), v.w, v.r); err != nil {
		return err
	}
	v.common.Voter = v.viewer.voter != ""
	v.common.Notice = notices[v.form.Get(noticeParam)]
	if a := v.viewer.account; a != nil {
		v.common.Viewer = &pages.Viewer{Person: s.personView(a.person), Confirmed: a.confirmed}
		if a.operator {
			v.common.Viewer.Console = s.Console
		}
		team, err := readTeamOf(v.r.Context(), s.db, a.id)
		if err != nil {
			return err
		}
		if team != nil {
			v.common.Viewer.Publisher = &pages.PublisherName{Name: team.Name, DisplayName: team.DisplayName}
		}
	}
	return nil
}

// readForm reads the address and a urlencoded body. A form with files is left to
// whoever expects one.
func (v *visit) readForm() error {
	body := v.r.Body
	v.r.Body = http.MaxBytesReader(v.w, body, wire.MaxBody)
	err := v.r.ParseForm()
	v.r.Body = body
	if _, long := errors.AsType[*http.MaxBytesError](err); long {
		return wire.Errorf(wire.BodyTooLarge, "", "this form is too long; shorten your text")
	}
	if err != nil && v.r.Method == http.MethodPost || !readable(v.r.URL.Path) {
		return errUnreadable
	}
	v.form = v.r.Form
	return checkForm(v.form)
}

var errUnreadable = wire.Errorf(wire.InvalidEncoding, "", "this request cannot be read; its text must be UTF-8")

func checkForm(form url.Values) error {
	for _, values := range form {
		for _, value := range values {
			if !readable(value) {
				return errUnreadable
			}
		}
	}
	return nil
}

// readable texts can be stored.
func readable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// number is a number of a form or an address; 0, which nothing has, when it is none.
func (v *visit) number(name string) int64 { return parseID(v.form.Get(name)) }

func parseID(s string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil || n < 0 || n >= wire.MaxNumber {
		return 0
	}
	return n
}

// goTo leads to another page, after a form.
func (v *visit) goTo(path string) error {
	http.Redirect(v.w, v.r, path, http.StatusSeeOther)
	return nil
}

func (s *Service) render(v *visit, status int, page pages.View) error {
	return s.site.Render(v.w, status, page)
}

// maxNext bounds the address that logging in leads back to.
const maxNext = 2048

// localPath is a path of this site that somebody named, or the front page: nobody
// is led away from here by a link that they trusted.
func localPath(path string) string {
	odd := func(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f } // browsers drop or change these
	u, err := url.Parse(path)
	if err != nil || len(path) > maxNext || !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || u.Host != "" || strings.ContainsFunc(path, odd) {
		return "/"
	}
	return path
}

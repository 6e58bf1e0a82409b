package polls_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/polls"
)

// inbox takes mail, and hands out the links in it.
type inbox chan [2]string

func (in inbox) options(o *polls.Options) {
	o.Mail = func(_ context.Context, to, subject, text string) error {
		if to == "away@stoa.test" {
			return errors.New("no such mailbox")
		}
		in <- [2]string{to, text}
		return nil
	}
}

// link waits for a mail to an address and returns the path of the link in it.
func (in inbox) link(s *site, to string) string {
	s.t.Helper()
	select {
	case got := <-in:
		_, link, found := strings.Cut(got[1], s.service.Origin+"/confirm")
		if got[0] != to || !found {
			s.t.Fatalf("got a mail to %s: %s want one to %s with a link", got[0], got[1], to)
		}
		return "/confirm" + strings.Fields(link)[0]
	case <-time.After(time.Minute):
		s.t.Fatal("got no mail")
		return ""
	}
}

func TestMailedLinkConfirms(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		in := make(inbox, 10)
		s := newSite(t, d, in.options)
		s.call("POST", "/users", object{"username": "away", "email": "away@stoa.test", "password": goodPassword}).object() // its mail fails
		ann := s.join("ann")
		confirmed := func() any { return ann.call("PATCH", "/users/me", nil).object()["confirmed"] }
		link := in.link(s, "ann@stoa.test")
		follow := func(method, link, want string) {
			t.Helper()
			a := s.send(method, link, nil, nil)
			if a.status != 303 || a.header.Get("Location") != "/settings?confirmed="+want || a.header.Get("Referrer-Policy") != "no-referrer" {
				t.Errorf("got %d to %q want 303 to confirmed=%s", a.status, a.header.Get("Location"), want)
			}
		}
		if confirmed() != false {
			t.Error("got an account that is confirmed before the mail is read")
		}
		follow("HEAD", link, "0")
		follow("GET", strings.Replace(link, "token=", "token=x", 1), "0")
		follow("GET", "/confirm", "0")
		if confirmed() != false {
			t.Error("got an account that is confirmed by a bad link")
		}
		follow("GET", link, "1")
		follow("GET", link, "1")
		if confirmed() != true {
			t.Error("got an account that is not confirmed by the link")
		}

		change := object{"email": "ANN@stoa.test", "current_password": goodPassword}
		shows(t, ann.call("PATCH", "/users/me", change).object(), object{"email": "ANN@stoa.test", "confirmed": true})
		change["email"] = "new@stoa.test"
		shows(t, ann.call("PATCH", "/users/me", change).object(), object{"confirmed": false})
		next := in.link(s, "new@stoa.test")
		follow("GET", link, "0") // of the old address
		ann.call("PATCH", "/users/me", change).object()
		in.link(s, "new@stoa.test") // another one
		follow("GET", next, "1")
		if confirmed() != true {
			t.Error("got an account that is not confirmed by the second link")
		}
	})
}

package polls_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/db"
)

// All of this goes without script, from the first visit to the last.
func TestSomebodyUsesThePages(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		b := newBrowser(s)
		b.open("/").says(200, "Nobody has asked anything here yet.")
		b.open("/new").says(200).at("/login?next=%2Fnew").has(`href="/join?next=%2fnew"`)
		b.send("/join", "username", "ann", "email", "ann@stoa.test", "password", goodPassword, "next", "/new").
			says(200, "Ask something", "Welcome! Your account is ready.").at("/new?done=joined").has("data-account")

		made := b.newPoll("tags", "code, taste", "first_image_context_url", "https://example.com/where", "first_public_domain", "1")
		made.says(200, "Tabs or spaces?", "0 votes", "# code", "# taste", "https://example.com/where , public domain").lacks("data-shown")
		poll := made.path
		b.send(poll, "action", "vote", "option", "1").says(200, "Tabs 100% 1 vote", "ann Tabs").at(poll).has(`data-vote="1"`)
		b.send(poll, "action", "vote", "option", "2").says(200, "Tabs 0% 0 votes", "Spaces 100% 1 vote").has(`data-vote="2"`)
		b.open("/").says(200, "Tabs or spaces?", "1 vote").has(`data-vote="2"`)
		b.send(poll, "action", "remove").says(200, "0 votes").lacks("data-vote=")
		b.send(poll, "action", "comment", "body", "Neither!\nBoth!").says(200, "Neither! Both!", "Comments 1", "Delete comment of ann")
		b.send(poll, "action", "favorite").says(200, "Favorite 1").has(`aria-pressed="true"`, `value="unfavorite"`)
		b.send(poll, "action", "unfavorite").says(200, "Favorite 0")
		b.open("/?tag=Code").says(200, "Polls about #code", "Tabs or spaces?")

		b.send("/settings", "action", "profile", "name", "Ann Lee", "location", "Bath", "website", "https://ann.test", "about", "I ask.").
			says(200, "Your profile is saved.").has(`value="Ann Lee"`)
		b.open("/users/ann").says(200, "Ann Lee", "@ann · Bath", "https://ann.test", "I ask.", "Edit profile", "Tabs or spaces?")
		b.send("/settings", "action", "profile", "name", "Ann Lee", "location", "").says(200)
		b.open("/users/ann").says(200, "@ann polls").lacks("Bath")

		b.open("/logout").says(200, "Log out?").has(`action="/logout"`) // a link alone ends nothing
		b.open("/settings").says(200).at("/settings")
		b.send("/logout").says(200).at("/").has(`href="/login?next=%2f"`)
		b.open("/logout").says(200).at("/")
		b.send("/login", "email_or_username", "ANN@stoa.test", "password", "wrong", "next", poll).
			says(401, "The name or the password is wrong.").has(`value="ANN@stoa.test"`, fmt.Sprintf(`name="next" value="%s"`, poll))
		b.send("/login", "email_or_username", "ANN@stoa.test", "password", goodPassword, "next", poll).says(200, "Ann Lee").at(poll)
		b.send(poll, "action", "delete").says(200, "The poll is deleted.").at("/?done=deleted")
		b.open(poll).says(404, "Nothing here")
	})
}

func TestSettingsOfAnAccount(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		plantLogin(s, d, "bob")
		b, other := newBrowser(s), newBrowser(s)
		b.send("/join", "username", "ann", "email", "ann@stoa.test", "password", goodPassword).says(200).at("/?done=joined")
		other.send("/login", "email_or_username", "ann", "password", goodPassword).says(200).at("/")

		b.send("/settings", "action", "profile", "name", strings.Repeat("x", 81)).says(422, "at most 80").has(strings.Repeat("x", 81))
		b.send("/settings", "action", "profile", "website", "javascript:alert(1)").says(422, "http:// or https://")
		b.send("/settings", "action", "email", "email", "bob@stoa.test", "current_password", goodPassword).says(409, "There is an account with this e-mail address")
		b.send("/settings", "action", "email", "email", "new@stoa.test").says(422, "Please fill this in.").has(`value="new@stoa.test"`)
		b.send("/settings", "action", "email", "email", "new@stoa.test", "current_password", goodPassword).says(200, "Your e-mail address is changed.")
		b.send("/settings", "action", "password", "new_password", "short", "current_password", goodPassword).says(422).has(`id="new_password-error">The password`)
		b.send("/settings", "action", "password", "new_password", "another good one", "current_password", "no").says(401, "This is not your present password.")
		other.open("/settings").says(200).at("/settings")
		b.send("/settings", "action", "password", "new_password", "another good one", "current_password", goodPassword).says(200, "Your password is changed.")
		other.open("/settings").says(200).at("/login?next=%2Fsettings")
		b.send("/settings", "action", "nothing").says(400)
		other.send("/login", "email_or_username", "new@stoa.test", "password", "another good one").says(200).at("/")
		b.send("/settings", "action", "sign_out_everywhere").says(200, "You are signed out everywhere.").has(`href="/join`)
		other.open("/settings").says(200).at("/login?next=%2Fsettings")
	})
}

func TestNobodyIsLedToAnotherSite(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		b := newBrowserOf(ann)
		for _, next := range []string{
			"https://evil.test/", "//evil.test/", `/\evil.test/`, "/\t/evil.test/", "javascript:alert(1)", "evil.test", "", "/%zz",
		} {
			b.do("GET", "/login?next="+strings.ReplaceAll(strings.ReplaceAll(next, "%", "%25"), "\t", "%09"), "", nil).says(200).at("/")
		}
		b.open("/login?next=%2Fusers%2Fann%3Fbefore_poll_id%3D7").says(200).at("/users/ann?before_poll_id=7")
		newBrowser(s).open("/join?next=%2F%2Fevil.test").says(200).has(`name="next" value="/"`)
	})
}

func TestJoiningIsRefusedByTheField(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		plantLogin(s, d, "ann")
		b := newBrowser(s)
		b.send("/join").says(422).has(`id="username-error">Please fill this in.`)
		b.send("/join", "username", "Ann", "email", "x@stoa.test", "password", goodPassword).says(409).has(`id="username-error">This username is taken`, `value="x@stoa.test"`)
		b.send("/join", "username", "bob", "email", "nowhere", "password", goodPassword).says(422).has(`id="email-error">The e-mail address`)
		b.send("/join", "username", "bob", "email", "b@stoa.test", "password", "short").says(422).has(`id="password-error">The password`).lacks(`value="short"`)
		b.send("/join", "username", "b\x00b", "email", "b@stoa.test", "password", goodPassword).says(400)
		b.send("/join", "username", "b\xffb").says(400)
		b.send("/join", "username", strings.Repeat("x", 70_000)).says(413, "too long")
	})
}

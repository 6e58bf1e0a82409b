package polls_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestStrangersVoteWithoutScript(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		id := pollID(ann.ready(nil))
		poll := fmt.Sprintf("/%d-tabs-or-spaces", id)
		a, b := newBrowser(s), newBrowser(s)
		a.open(poll).says(200, "Vote", "Log in to comment").lacks("data-voter", "Delete this poll")
		a.send(poll, "action", "remove").says(200, "0 votes").lacks("data-voter")
		a.send(poll, "action", "vote").says(400, "Choose one of the two")
		a.send(poll, "action", "vote", "option", "1").says(200, "Tabs 100% 1 vote", "Somebody Tabs").has("data-voter", `data-vote="1"`).at(poll)
		b.send(poll, "action", "vote", "option", "2").says(200, "Tabs 50% 1 vote", "Spaces 50% 1 vote")
		a.send(poll, "action", "vote", "option", "2").says(200, "Tabs 0% 0 votes", "Spaces 100% 2 votes")
		a.open(poll + "?results=1").says(200).has("data-shown")
		for _, action := range []string{"comment", "favorite", "delete", "delete_comment"} {
			a.send(poll, "action", action, "body", "x").says(200, "Welcome back").at(fmt.Sprintf("/login?next=%%2F%d-tabs-or-spaces", id))
		}
		a.send(poll, "action", "explode").says(400)
		a.send("/4711", "action", "vote", "option", "1").says(404, "Nothing here")
	})
}

func TestScriptAsksForTheCookieOfVoters(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		poll := pollID(plantLogin(s, d, "ann").ready(nil))
		b := newBrowser(s)
		if got := b.send("/viewer"); got.status != 204 || got.header.Get("Set-Cookie") == "" {
			t.Fatalf("got %d %v want a cookie", got.status, got.header)
		}
		b.do("POST", fmt.Sprintf("/api/v4/polls/%d/votes", poll), "application/json", strings.NewReader(`{"option":2}`)).object()
		b.open(fmt.Sprintf("/%d-tabs-or-spaces", poll)).says(200).has(`data-vote="2"`)
		if got := b.send("/viewer"); got.status != 204 || got.header.Get("Set-Cookie") != "" {
			t.Errorf("got %d %v want to stay the same voter", got.status, got.header)
		}
	})
}

func TestAddressOfAPoll(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		id := pollID(plantLogin(s, d, "ann").ready(nil))
		for _, path := range []string{"/%d", "/%d-", "/%d-spaces-or-tabs", "/%d-TABS-or-spaces"} {
			path = fmt.Sprintf(path, id)
			got := s.send("GET", path+"?results=1", nil, nil)
			if want := fmt.Sprintf("/%d-tabs-or-spaces?results=1", id); got.status != 301 || got.header.Get("Location") != want {
				t.Errorf("%s: got %d %s want %s", path, got.status, got.header.Get("Location"), want)
			}
		}
		newBrowser(s).open(fmt.Sprint("/", id)).says(200, "Tabs or spaces?")
	})
}

func TestPreviewOfAPoll(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		poll := plantLogin(s, d, "ann").ready(nil)
		shown := s.call("GET", pollPath(poll), nil).object()
		newBrowser(s).open(fmt.Sprint("/", pollID(poll))).says(200).has(
			fmt.Sprintf(`<meta property="og:url" content="%s">`, shown["url"]),
			fmt.Sprintf(`<meta property="og:image" content="%s">`, shown["image"].(object)["url"]),
			`<meta property="og:image:width" content="80">`, `<meta property="og:image:height" content="40">`,
			`<meta property="og:title" content="Tabs or spaces?">`, fmt.Sprintf(`<link rel="canonical" href="%s">`, shown["url"]))
	})
}

func TestPrivatePollByItsLink(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		made := newBrowserOf(ann).newPoll("private", "1").says(200, "private")
		address, key, found := strings.Cut(made.path, "?k=")
		if !found || len(key) != 22 {
			t.Fatalf("got %s want an address with the key", made.path)
		}
		short, _, _ := strings.Cut(address, "-")
		for _, b := range []*browser{newBrowser(s), newBrowserOf(bob)} {
			for _, path := range []string{address, short, address + "?k=" + strings.Repeat("x", 22), address + "?k="} {
				b.open(path).says(404)
				b.send(path, "action", "vote", "option", "1").says(404)
			}
			b.open(short+"?k="+key).says(200, "0 votes").at(made.path).has(`data-key="`+key+`"`, "noindex").lacks("canonical")
		}
		b := newBrowser(s)
		b.send(made.path, "action", "vote", "option", "1").says(200, "1 vote").at(made.path)
		newBrowserOf(ann).open(short).says(200, "1 vote").has(`data-key="` + key + `"`)
		newBrowserOf(bob).send(made.path, "action", "comment", "body", "hush").says(200, "hush").at(made.path)
		b.open("/").says(200).lacks("Tabs")
		b.open("/users/ann").says(200).lacks("Tabs")
		newBrowserOf(ann).open("/users/ann").says(200, "Tabs").has("?k=" + key)
	})
}

func TestPollWithoutPictureIsForItsCreator(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		path := fmt.Sprintf("/%d-tabs-or-spaces", pollID(ann.draft(nil)))
		newBrowserOf(ann).open(path).says(200, "The picture is still on its way.", "Delete it for ever").lacks(`name="option"`)
		newBrowserOf(ann).send(path, "action", "vote", "option", "1").says(409, "has no image yet")
		newBrowserOf(ann).send(path, "action", "favorite").says(409, "has no image yet")
		for _, b := range []*browser{newBrowser(s), newBrowserOf(bob)} {
			b.open(path).says(404)
			b.send(path, "action", "vote", "option", "1").says(404)
			b.send(path, "action", "delete").says(404)
		}
	})
}

func TestHostileTextsAreShownAsText(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		exec(t, d, "UPDATE users SET name = $1, about = $1", `"><img src=x onerror=alert(1)>`)
		const hostile = `</title><script>alert(1)</script>{{.}}"'`
		poll := ann.ready(object{"caption": hostile, "choice1": "<b>1", "choice2": "\" onload=x"})
		ann.call("POST", pollPath(poll)+"/comments", object{"body": hostile}).object()
		for _, path := range []string{"/", fmt.Sprint("/", pollID(poll)), "/users/ann", "/new"} {
			newBrowserOf(ann).open(path).says(200).lacks("<script>alert", "<img src=x", "<b>1", `" onload=x`)
		}
		newBrowser(s).open("/").says(200, hostile, "<b>1")
		newBrowser(s).open("/?tag=%3Cscript%3E").says(404)
		newBrowser(s).open("/?tag=%00").says(400)
		newBrowser(s).open("/users/%00").says(400)
		newBrowser(s).open("/users/%FF").says(400)
	})
}

func TestOlderCommentsAndWhoMayDeleteThem(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		poll := ann.ready(nil)
		path := fmt.Sprintf("/%d-tabs-or-spaces", pollID(poll))
		var first object
		for i := range 21 {
			said := bob.call("POST", pollPath(poll)+"/comments", object{"body": fmt.Sprintf("word %02d.", i)}).object()
			if i == 0 {
				first = said
			}
		}
		page := newBrowser(s).open(path).says(200, "Older comments", "word 01.", "word 20.").lacks("word 00.", "Delete<span")
		_, rest, _ := strings.Cut(string(page.body), `href="`+path+`?before_comment_id=`)
		before, _, _ := strings.Cut(rest, "#")
		newBrowser(s).open(path+"?before_comment_id="+before).says(200, "word 00.").lacks("word 01.", "Older comments")

		cat := plantLogin(s, d, "cat")
		newBrowserOf(cat).send(path, "action", "delete_comment", "comment_id", fmt.Sprint(first["commentID"])).says(403, "Not allowed")
		newBrowserOf(ann).send(path, "action", "delete_comment", "comment_id", fmt.Sprint(first["commentID"])).says(200, "Comments 20")
		newBrowserOf(bob).send(path, "action", "comment", "body", " ").says(422).has(`id="body-error" role="alert">The comment`)
		long := strings.Repeat("x", 1001)
		newBrowserOf(bob).send(path, "action", "comment", "body", long).says(422, "at most 1000").has(long)
	})
}

func TestListsOfPagesGoOn(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		var first object
		for i := range 11 {
			poll := ann.ready(object{"caption": fmt.Sprintf("Question %02d?", i), "tags": "row"})
			if i == 1 {
				first = poll
			}
		}
		for _, path := range []string{"/", "/?tag=row", "/users/ann"} {
			page := newBrowserOf(bob).open(path).says(200, "Question 10?", "Question 01?", "More polls").lacks("Question 00?")
			more := fmt.Sprintf("%s?before_poll_id=%d", strings.TrimSuffix(path, "?tag=row"), pollID(first))
			if strings.Contains(path, "tag") {
				more += "&tag=row"
			}
			page.has(`href="` + strings.ReplaceAll(more, "&", "&amp;") + `"`)
			newBrowser(s).open(more).says(200, "Question 00?").lacks("Question 01?", "More polls")
		}
		b := newBrowserOf(bob)
		b.send("/users/ann", "action", "follow").says(200).has(`aria-pressed="true"`).at("/users/ann")
		b.send("/users/ann", "action", "unfollow").says(200).has(`aria-pressed="false"`)
		b.send("/users/bob", "action", "follow").says(400)
		b.send("/users/nobody", "action", "follow").says(404)
	})
}

func TestUnconfirmedAccountsAreTold(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		poll := fmt.Sprint("/", pollID(plantLogin(s, d, "ann").ready(nil)))
		b := newBrowserOf(plantLogin(s, d, "bob", "!confirmed"))
		b.open(poll).says(200, "Confirm your e-mail address to comment")
		b.open("/settings").says(200, "This address is not confirmed yet.")
		b.newPoll().says(403, "Confirm your e-mail address first")
		b.send(poll, "action", "comment", "body", "hm").says(403)
		b.send(poll, "action", "vote", "option", "1").says(200, "1 vote")
		b.open("/settings?confirmed=0").says(200, "That link is not good any more.")
		newBrowser(s).open("/settings?confirmed=1").says(200, "Your e-mail address is confirmed. Thank you!", "Log in")
	})
}

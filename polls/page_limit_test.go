package polls_test

import (
	"fmt"
	"testing"

	"stoa/internal/db"
)

func TestPagesKeepTheLimitsOfTheAPI(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		const once = "rate_limit: {unit: year, requests_per_unit: 1}"
		s := newSite(t, d, limited(t, `
domain: polls
descriptors:
  - {key: route, value: mint, descriptors: [{key: address, `+once+`}]}
  - {key: route, value: vote, descriptors: [{key: voter, `+once+`}]}
  - {key: route, value: vote_poll, descriptors: [{key: address, descriptors: [{key: poll, `+once+`}]}]}
  - {key: route, value: signup, descriptors: [{key: address, `+once+`}]}
  - {key: route, value: authenticate, descriptors: [{key: account, `+once+`}]}
  - {key: route, value: comment, descriptors: [{key: user, `+once+`}]}
  - {key: route, value: create_poll, descriptors: [{key: user, `+once+`}]}
`))
		ann := plantLogin(s, d, "ann")
		over := func(page screen) {
			t.Helper()
			if page.says(429, "Too many requests; try again in"); page.header.Get("Retry-After") == "" {
				t.Errorf("got %v want to be told when to come again", page.header)
			}
		}
		mine := newBrowserOf(ann)
		poll := mine.newPoll().says(200).path
		over(mine.newPoll())
		stranger := newBrowser(s)
		stranger.send(poll, "action", "vote", "option", "1").says(200, "1 vote")
		over(stranger.send(poll, "action", "vote", "option", "2"))      // of this voter
		over(newBrowser(s).send(poll, "action", "vote", "option", "2")) // of those without a cookie
		over(newBrowser(s).send("/viewer"))
		other := newBrowserOf(ann) // an account is another voter
		other.send(poll, "action", "vote", "option", "2").says(200, "2 votes")
		mine.send(poll, "action", "comment", "body", "one").says(200)
		over(mine.send(poll, "action", "comment", "body", "two").has("two"))
		stranger.send("/join", "username", "-", "email", "b@stoa.test", "password", goodPassword).says(422)
		over(stranger.send("/join", "username", "bob", "email", "b@stoa.test", "password", goodPassword).has(`value="bob"`))
		stranger.send("/login", "email_or_username", "Cat", "password", "wrong").says(401)
		over(stranger.send("/login", "email_or_username", "cAT", "password", "wrong"))
		stranger.send("/login", "email_or_username", "bob", "password", "wrong").says(401)
		if got := s.call("GET", fmt.Sprint("/polls/", 1), nil).object()["voteCount"]; got != 2.0 {
			t.Errorf("got %v votes want 2", got)
		}
	})
}

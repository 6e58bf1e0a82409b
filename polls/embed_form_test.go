package polls_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestFormVotesWithoutScript(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		poll := plantPollOf(t, d, ann.id)
		for _, path := range []string{fmt.Sprintf("%s?poll_id=%d", iframe, poll), fmt.Sprintf("/embed/poll/%d", poll)} {
			page := s.send("GET", path, nil, nil).shown(poll)
			act := func(fields url.Values) answer {
				t.Helper()
				next := s.post(path, page, fields).shown(poll)
				next.framed()
				for _, name := range []string{"anonymous_user_id", "view_id"} {
					if next.field(name) != page.field(name) {
						t.Errorf("got %s %s want it to stay %s", name, next.field(name), page.field(name))
					}
				}
				return next
			}
			checked := func(a answer) string {
				found := regexp.MustCompile(`name="option" value="(\d)" required checked`).FindSubmatch(a.body)
				if found == nil {
					return ""
				}
				return string(found[1])
			}
			if got := act(url.Values{"action": {"results"}}); !strings.Contains(string(got.body), "data-shown") || checked(got) != "" {
				t.Errorf("got %s want the results without a vote", got.body)
			}
			before, _ := s.numbers()
			if got := checked(act(url.Values{"action": {"vote"}, "option": {"2"}})); got != "2" {
				t.Errorf("got choice %q want 2", got)
			}
			if got := checked(act(url.Values{"action": {"vote"}, "option": {"1"}})); got != "1" {
				t.Errorf("got choice %q want 1", got)
			}
			after, _ := s.numbers()
			if after["embed_votes"].(float64) != before["embed_votes"].(float64)+1 || after["embed_views"].(float64) != before["embed_views"].(float64)+1 {
				t.Errorf("got %v after %v want one vote and one view more", after, before)
			}
			if got := checked(act(url.Values{"action": {"remove"}})); got != "" {
				t.Errorf("got choice %q want none", got)
			}
		}
	})
}

func TestFormWalksThroughASet(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		one, two := plantPollOf(t, d, ann.id), plantPoll(t, d)
		set := plantSet(s, ann, "week", one, two)
		path := fmt.Sprintf("%s?pollset_id=%d", iframe, set)
		page := s.send("GET", path, nil, nil).shown(one)
		page = s.post(path, page, url.Values{"action": {"vote"}, "option": {"1"}}).shown(one)
		page = s.post(path, page, url.Values{"show": {fmt.Sprint(two)}}).shown(two)
		page = s.post(path, page, url.Values{"action": {"vote"}, "option": {"2"}}).shown(two)
		s.post(path, page, url.Values{"show": {fmt.Sprint(one)}}).shown(one)
		_, by := s.numbers()
		if e := by[fmt.Sprintf("set-week poll_set %d", set)]; e["votes"] != 2.0 || e["voters"] != 1.0 || e["views"] != 1.0 {
			t.Errorf("got %v want two votes of one reader in one view", e)
		}
	})
}

func TestFormIsRefusedOnThePage(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		poll, other := plantPollOf(t, d, ann.id), plantPoll(t, d)
		path := fmt.Sprintf("%s?poll_id=%d", iframe, poll)
		page := s.send("GET", path, nil, nil)
		vote := func(change url.Values) url.Values {
			all := url.Values{"action": {"vote"}, "option": {"1"}}
			maps.Copy(all, change)
			return all
		}
		for _, refusal := range []struct {
			fields url.Values
			status int
		}{
			{vote(url.Values{"option": nil}), 400},
			{vote(url.Values{"option": {"3"}}), 400},
			{vote(url.Values{"action": {"dance"}}), 400},
			{vote(url.Values{"poll_id": {fmt.Sprint(other)}}), 404},
			{vote(url.Values{"anonymous_user_id": {"x"}}), 401},
		} {
			got := s.post(path, page, refusal.fields)
			if id := got.field("anonymous_user_id"); got.status != refusal.status || len(id) != 60 || !strings.Contains(string(got.body), "<form") {
				t.Errorf("got %d for %v want %d on the page", got.status, refusal.fields, refusal.status)
			}
			got.framed()
		}
		if got := s.call("GET", fmt.Sprintf("/polls/%d", poll), nil).object()["voteCount"]; got != 0.0 {
			t.Errorf("got %v votes want none", got)
		}
	})
}

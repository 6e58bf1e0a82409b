package polls_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"stoa/internal/db"
	"stoa/internal/stats"
	"stoa/polls"
	"stoa/polls/limits"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
)

// limited makes the service keep rules of a test.
func limited(t *testing.T, rules string) func(*polls.Options) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rules.yaml")
	if err := os.WriteFile(file, []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	spec, err := limits.Rules(file, polls.LimitDomain(polls.Production))
	if err != nil {
		t.Fatal(err)
	}
	checked, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
	if err != nil {
		t.Fatal(err)
	}
	registry := stats.NewRegistry()
	limiter := ratelimit.New(ratelimit.Options{Counter: memory.New(memory.Config{MaxKeys: 1000}, registry, nil), Stats: registry})
	limiter.Use(checked)
	return func(o *polls.Options) { o.Decider = limiter }
}

func TestPagesMintNoMoreThanTheLimit(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, limited(t, `
domain: polls
descriptors:
  - {key: route, value: mint, descriptors: [{key: address, rate_limit: {unit: year, requests_per_unit: 2}}]}
  - {key: route, value: vote, descriptors: [{key: voter, rate_limit: {unit: year, requests_per_unit: 1}}]}
`))
		path := fmt.Sprintf("/embed/poll/%d", plantPoll(t, d))
		first := s.send("GET", path, nil, nil)
		s.send("GET", path, nil, nil)
		third := s.send("GET", path, nil, nil)
		if first.field("anonymous_user_id") == "" || third.field("anonymous_user_id") != "" || third.status != 200 {
			t.Errorf("got ids %q and %q want one at first, none beyond the limit", first.field("anonymous_user_id"), third.field("anonymous_user_id"))
		}
		vote := func(page answer) answer { return s.post(path, page, url.Values{"action": {"vote"}, "option": {"1"}}) }
		for i, want := range []struct {
			page   answer
			status int
		}{{first, 200}, {first, 429}, {third, 429}} {
			got := vote(want.page)
			if got.status != want.status || want.status == 429 && got.header.Get("Retry-After") == "" {
				t.Errorf("vote %d: got %d, retry after %q want %d", i, got.status, got.header.Get("Retry-After"), want.status)
			}
		}
	})
}

func TestTooManyPagesAreAPage(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, limited(t, `
domain: polls
descriptors:
  - {key: route, value: read, descriptors: [{key: address, rate_limit: {unit: year, requests_per_unit: 1}}]}
`))
		poll := plantPoll(t, d)
		path := fmt.Sprintf("/embed/poll/%d", poll)
		s.send("GET", path, nil, nil).shown(poll)
		a := s.send("GET", path, nil, nil)
		a.problem(429)
		if a.header.Get("Retry-After") == "" {
			t.Errorf("got headers %v want Retry-After", a.header)
		}
	})
}

// Taking a vote back uses up no vote, whichever way it is done.
func TestFormTakesBackBeyondTheLimitOfVotes(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, limited(t, `
domain: polls
descriptors:
  - {key: route, value: vote_poll, descriptors: [{key: address, descriptors: [{key: poll, rate_limit: {unit: year, requests_per_unit: 1}}]}]}
`))
		path := fmt.Sprintf("/embed/poll/%d", plantPoll(t, d))
		page := s.send("GET", path, nil, nil)
		for i, want := range []struct {
			action url.Values
			status int
		}{
			{url.Values{"action": {"vote"}, "option": {"1"}}, 200},
			{url.Values{"action": {"vote"}, "option": {"2"}}, 429},
			{url.Values{"action": {"remove"}}, 200},
		} {
			if got := s.post(path, page, want.action); got.status != want.status {
				t.Errorf("step %d: got %d want %d", i, got.status, want.status)
			}
		}
	})
}

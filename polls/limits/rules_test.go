package limits_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/internal/fault"
	"stoa/polls/limits"
)

// shippedRules is every rule of both files.
var shippedRules = []struct{ path, wantDefault, wantVenue string }{
	{"route_mint.address", "60 per minute", "2000 per minute"},
	{"route_authenticate.address", "20 per minute", "400 per minute"},
	{"route_authenticate.account", "10 per minute", "10 per minute"},
	{"route_signup.address", "10 per hour", "200 per hour"},
	{"route_vote.voter", "60 per minute", "60 per minute"},
	{"route_vote.address", "300 per minute", "6000 per minute"},
	{"route_vote_poll.address.poll", "200 per day", "20000 per day"},
	{"route_create_poll.user", "30 per hour", "30 per hour"},
	{"route_comment.user", "20 per minute", "20 per minute"},
	{"route_upload.address", "60 per minute", "1200 per minute"},
	{"route_read.address", "1200 per minute", "24000 per minute"},
	{"route_write.address", "300 per minute", "6000 per minute"},
	{"route_beacon.address", "600 per minute", "12000 per minute"},
}

// loaded is the limits of rules by their path below the domain.
func loaded(t *testing.T, name, domain string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for rule := range newLimiter(t, name, domain).Rules().All() {
		all[strings.TrimPrefix(rule.Path, domain+".")] = rule.Limit.String()
	}
	return all
}

func TestNumbersOfTheShippedRules(t *testing.T) {
	t.Parallel()
	byDefault, inVenue := loaded(t, limits.Default, "polls"), loaded(t, limits.Venue, "polls")
	for _, test := range shippedRules {
		if got := byDefault[test.path]; got != test.wantDefault {
			t.Errorf("default: %s: got %q, want %q", test.path, got, test.wantDefault)
		}
		if got := inVenue[test.path]; got != test.wantVenue {
			t.Errorf("venue: %s: got %q, want %q", test.path, got, test.wantVenue)
		}
	}
	if len(byDefault) != len(shippedRules) || len(inVenue) != len(shippedRules) {
		t.Errorf("got %d and %d rules, want %d", len(byDefault), len(inVenue), len(shippedRules))
	}
}

func TestEveryDescriptorHasARule(t *testing.T) {
	t.Parallel()
	for _, name := range []string{limits.Default, limits.Venue} {
		heard := &finder{Limiter: newLimiter(t, name, "polls"), t: t}
		l := newLimits(heard)
		for _, route := range []limits.Route{
			limits.Mint, limits.Authenticate, limits.Signup, limits.Vote, limits.CreatePoll,
			limits.Comment, limits.Upload, limits.Read, limits.Write, limits.Beacon,
		} {
			ask(t, l, limits.Call{Route: route, Address: someone, User: 7, Account: "ann"})
			ask(t, l, limits.Call{Route: route, Address: someone, Voter: "v", Poll: 9})
		}
	}
}

func TestEventStreamsPerAddress(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{limits.Default: 10, limits.Venue: 2000, "/etc/rules.yaml": 10} {
		if got := limits.Streams(name); got != want {
			t.Errorf("%s: got %d, want %d", name, got, want)
		}
	}
}

func TestRulesForAnotherEnvironment(t *testing.T) {
	t.Parallel()
	if got := loaded(t, limits.Default, "polls_staging")["route_mint.address"]; got != "60 per minute" {
		t.Errorf("got %q, want 60 per minute", got)
	}
}

func TestRulesOfOnesOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, test := range []struct{ name, text, want string }{
		{"good.yaml", "domain: polls\ndescriptors: [{key: route, rate_limit: {unit: day, requests_per_unit: 5}}]", ""},
		{"syntax.yaml", "domain: [", "syntax.yaml:1:1: error loading config file"},
		{"unit.yaml", "domain: polls\ndescriptors: [{key: route, rate_limit: {unit: fortnight}}]", "unit.yaml:2:40: invalid rate limit unit 'fortnight'"},
		{"domain.yaml", "domain: shop", "domain.yaml:1:1: want domain: polls, got shop"},
		{"empty.yaml", "", "empty.yaml:1:1: config file cannot have empty domain"},
	} {
		path := filepath.Join(dir, test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := limits.Rules(path, "polls")
		wantFault(t, err, test.want)
	}
	_, err := limits.Rules(filepath.Join(dir, "missing"), "polls")
	wantFault(t, err, "want default, venue or the path of a file, got ")
	_, err = limits.Rules("", "polls")
	wantFault(t, err, `want default, venue or the path of a file, got ""`)
	if got := loaded(t, filepath.Join(dir, "good.yaml"), "polls")["route"]; got != "5 per day" {
		t.Errorf("got %q, want 5 per day", got)
	}
}

// wantFault wants an error that says so, or none for "".
func wantFault(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" {
		if err != nil {
			t.Errorf("got %v, want no error", err)
		}
		return
	}
	if !errors.Is(err, fault.Invalid) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an invalid one with %q", err, want)
	}
}

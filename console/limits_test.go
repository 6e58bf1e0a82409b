package console_test

import (
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stoa/console"
	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/internal/jobs"
	"stoa/internal/stats"
	"stoa/polls"
	"stoa/polls/limits"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
	"stoa/ratelimit/rulefiles"
	"stoa/video"
	"stoa/video/analytics"
)

// onSQLite is for what is kept in files alone.
func onSQLite(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Parallel()
	d := dbtest.Open(t, dbtest.SQLite(t))
	for room, files := range map[string]fs.FS{polls.Room: polls.Migrations(), video.Room: video.Migrations(), jobs.Room: jobs.Migrations(), analytics.Room: analytics.Migrations()} {
		if err := d.Migrate(t.Context(), room, files); err != nil {
			t.Fatal(err)
		}
	}
	test(t, d)
}

// limited is the rules of the polls and of a rate limit service, in a folder.
func limited(t *testing.T, folder string) (func(*console.Options), *ratelimit.Limiter) {
	t.Helper()
	log, registry := slog.New(slog.NewTextHandler(t.Output(), nil)), stats.NewRegistry()
	newLimiter := func() *ratelimit.Limiter {
		return ratelimit.New(ratelimit.Options{Counter: memory.New(memory.Config{MaxKeys: 1000}, stats.NewRegistry(), log), Stats: registry})
	}
	service, room := newLimiter(), newLimiter()
	usual, _ := limits.Shipped(limits.Default)
	file, err := rulefiles.OpenFile(rulefiles.FileOptions{
		Name: "polls.yaml", Path: filepath.Join(folder, "rules", "polls.yaml"), Usual: usual,
		Written: "polls", Domain: "polls", Limiters: []*ratelimit.Limiter{room}, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	loader := ratelimit.NewLoader(service, false, log, func(int) {})
	files := &rulefiles.Folder{Config: rulefiles.Config{Root: folder, AppDirectory: "config"}, Loader: loader}
	return func(o *console.Options) {
		o.Limits = []console.LimitSource{
			{Name: "ratelimit", Limiter: service, Prefix: "ratelimit/", Files: files},
			{Name: "polls", Limiter: room, Files: file},
		}
	}, room
}

func TestRulesAreATreeWithCounts(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *db.DB) {
		set, limiter := limited(t, t.TempDir())
		k := newDesk(t, d, set)
		for range 12 { // of the 10 an hour that sign up from an address
			ask := ratelimit.Request{Domain: "polls", Descriptors: []ratelimit.Descriptor{{Entries: []ratelimit.Entry{{Key: "route", Value: "signup"}, {Key: "address", Value: "x"}}}}}
			if err := limiter.Decide(t.Context(), &ask, new(ratelimit.Decision)); err != nil {
				t.Fatal(err)
			}
		}
		var got struct {
			Sources []struct {
				Name  string
				Files []struct {
					Name     string
					There    bool
					ReadOnly string
				}
				Domains []struct {
					Name  string
					Nodes []struct {
						Name     string
						Children []struct {
							Line int
							Rule struct {
								Path, Terms string
								Hits, Over  int
							}
						}
					}
				}
			}
		}
		if err := json.Unmarshal(k.ask("GET", "/limits", "").body, &got); err != nil {
			t.Fatal(err)
		}
		room := got.Sources[1]
		if f := room.Files[0]; room.Name != "polls" || f.Name != "polls.yaml" || f.There || f.ReadOnly != "" {
			t.Errorf("got %+v, want the file of the polls, which is not there yet", room.Files)
		}
		for _, node := range room.Domains[0].Nodes {
			if node.Name != "route_signup" {
				continue
			}
			// The window may have turned between the calls.
			rule := node.Children[0].Rule
			if rule.Path != "polls.route_signup.address" || rule.Terms != "10 per hour" || rule.Hits != 12 || rule.Over > 2 || node.Children[0].Line == 0 {
				t.Errorf("got %+v, want 12 hits of 10 per hour", node.Children[0])
			}
			return
		}
		t.Errorf("got %+v, want the rule of sign-ups", room)
	})
}

// signups is rules of the polls with one figure.
func signups(perHour string) string {
	return "domain: polls\ndescriptors:\n  - key: route\n    value: signup\n    descriptors:\n      - {key: address, rate_limit: {unit: hour, requests_per_unit: " + perHour + "}}\n"
}

func body(pairs ...string) string {
	o := object{}
	for i := 0; i < len(pairs); i += 2 {
		o[pairs[i]] = pairs[i+1]
	}
	text, _ := json.Marshal(o)
	return string(text)
}

func TestRuleFileIsCheckedThenPutLive(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *db.DB) {
		folder := t.TempDir()
		set, limiter := limited(t, folder)
		k := newDesk(t, d, set)
		was := k.ask("GET", "/limits/files/polls.yaml", "").object()
		version, _ := was["version"].(string)
		if was["there"] != false || !strings.Contains(was["text"].(string), "domain: polls") {
			t.Errorf("got %v, want the shipped rules", was)
		}
		broken := k.ask("POST", "/limits/check", body("name", "polls.yaml", "text", signups("many"))).object()
		if faults := broken["faults"].([]any); len(faults) != 1 || faults[0].(object)["line"] != 6.0 || faults[0].(object)["file"] != "polls.yaml" {
			t.Errorf("got %v, want the fault in line 6", broken)
		}
		refused := k.ask("PUT", "/limits/files/polls.yaml", body("text", signups("many"), "version", version))
		refused.refused(422, "faulty")
		if !strings.Contains(string(refused.body), "polls.yaml:6:") {
			t.Errorf("got %s, want the place", refused.body)
		}
		good := k.ask("POST", "/limits/check", body("name", "polls.yaml", "text", signups("11"))).object()
		if text, _ := json.Marshal(good["changes"]); !strings.Contains(string(text), `{"now":"11 per hour","path":"polls.route_signup.address","was":"10 per hour"}`) ||
			!strings.Contains(string(text), `{"now":null,"path":"polls.route_read.address","was":"1200 per minute"}`) {
			t.Errorf("got %s, want what would change", text)
		}
		now := k.ask("PUT", "/limits/files/polls.yaml", body("text", signups("11"), "version", version)).object()
		for rule := range limiter.Rules().All() {
			if got := rule.Limit.String(); got != "11 per hour" {
				t.Errorf("got %s in force, want 11 per hour", got)
			}
		}
		if text, err := os.ReadFile(filepath.Join(folder, "rules", "polls.yaml")); err != nil || string(text) != signups("11") || now["there"] != true {
			t.Errorf("got %q, %v, want what was sent", text, err)
		}
		k.ask("PUT", "/limits/files/polls.yaml", body("text", signups("12"), "version", version)).refused(409, "changed")
	})
}

func TestRuleFilesOfTheService(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *db.DB) {
		folder := t.TempDir()
		set, _ := limited(t, folder)
		k := newDesk(t, d, set)
		file := "/limits/files/" + url.PathEscape("ratelimit/deep/shop.yaml")
		shop := "domain: shop\ndescriptors: [{key: user, rate_limit: {unit: day, requests_per_unit: 5}}]\n"
		k.ask("PUT", file, body("text", shop, "version", "absent")).object()
		again := strings.ReplaceAll(shop, "shop", "garage")
		k.ask("PUT", "/limits/files/"+url.PathEscape("ratelimit/b.yaml"), body("text", again, "version", "absent")).object()
		twice := k.ask("POST", "/limits/check", body("name", "ratelimit/b.yaml", "text", shop)).object()
		if faults := twice["faults"].([]any); len(faults) != 1 || faults[0].(object)["file"] != "ratelimit/deep/shop.yaml" {
			t.Errorf("got %v, want that the domain is in two files", twice)
		}
		if text := k.ask("GET", file, "").object()["text"]; text != shop {
			t.Errorf("got %q", text)
		}
		for _, name := range []string{"ratelimit/../rules/polls.yaml", "ratelimit/notes.txt", "ratelimit//etc/x.yaml"} {
			k.ask("GET", "/limits/files/"+url.PathEscape(name), "").refused(400, "invalid")
			k.ask("PUT", "/limits/files/"+url.PathEscape(name), body("text", shop, "version", "absent")).refused(400, "invalid")
		}
		k.ask("GET", "/limits/files/other.yaml", "").refused(404, "not_found")
		k.ask("POST", "/limits/check", body("name", "other.yaml", "text", "")).refused(404, "not_found")
	})
}

func TestRequestIsExplained(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *db.DB) {
		set, limiter := limited(t, t.TempDir())
		k := newDesk(t, d, set)
		hash := k.polls.LimitValue("address", "203.0.113.7")
		ask := ratelimit.Request{Domain: "polls", Hits: 3, Descriptors: []ratelimit.Descriptor{{Entries: []ratelimit.Entry{{Key: "route", Value: "vote_poll"}, {Key: "address", Value: hash}, {Key: "poll", Value: "7"}}}}}
		if err := limiter.Decide(t.Context(), &ask, new(ratelimit.Decision)); err != nil {
			t.Fatal(err)
		}
		question := `{"domain":"polls","descriptors":[{"entries":[{"key":"route","value":"vote_poll"},{"key":"address","value":"203.0.113.7"},{"key":"poll","value":"7"}]},{"entries":[{"key":"nothing","value":""}]}]}`
		got := k.ask("POST", "/limits/explain", question).object()
		answer := got["answer"].(object)
		first := answer["descriptors"].([]any)[0].(object)
		rule := first["rule"].(object)
		if got["source"] != "polls" || answer["overallCode"] != "OK" || first["count"] != 3.0 || rule["file"] != "polls.yaml" || rule["line"] == 0.0 || rule["path"] != "polls.route_vote_poll.address.poll" {
			t.Errorf("got %v, want the rule with its place and the count of the address", got)
		}
		if entry := first["entries"].([]any)[1].(object); entry["value"] != "203.0.113.7" {
			t.Errorf("got %v, want what was written", entry)
		}
		if second := answer["descriptors"].([]any)[1].(object); second["result"] != "no_rule" {
			t.Errorf("got %v, want no rule", second)
		}
		if unknown := k.ask("POST", "/limits/explain", `{"domain":"nothing","descriptors":[{"entries":[{"key":"a","value":"b"}]}]}`).object(); unknown["answer"].(object)["domainKnown"] != false {
			t.Errorf("got %v, want an unknown domain", unknown)
		}
		k.ask("POST", "/limits/explain", `{"domain":"polls","descriptors":[]}`).refused(400, "invalid")
		k.ask("POST", "/limits/explain", `{"domain":"","descriptors":[{"entries":[]}]}`).refused(400, "invalid")
	})
}

func TestNothingIsLimited(t *testing.T) {
	onSQLite(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		if sources := k.ask("GET", "/limits", "").object()["sources"].([]any); len(sources) != 0 {
			t.Errorf("got %v, want none", sources)
		}
		k.ask("POST", "/limits/explain", `{"domain":"polls","descriptors":[]}`).refused(404, "not_found")
	})
}

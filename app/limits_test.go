package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"stoa/app"
	"stoa/internal/db/dbtest"
	"stoa/ratelimit/redis/redistest"
)

// readRules lets each address read so often a day.
func readRules(times int) string {
	return fmt.Sprintf(`domain: polls
descriptors:
  - key: route
    value: read
    descriptors:
      - {key: address, rate_limit: {unit: day, requests_per_unit: %d}}
`, times)
}

// limited is polls with rules of their own.
func limited(t *testing.T, times int) app.Settings {
	t.Helper()
	settings := pollSettings(t.TempDir())
	settings.Limits = "on"
	settings.Polls.Rules = writeFile(t, t.TempDir(), "polls.yaml", []byte(readRules(times)))
	return settings
}

const aRead = "/api/v4/polls/1"

// passes checks that a read is let through: there is no such poll.
func (p *process) passes(port string) {
	p.t.Helper()
	if got := p.get(port, aRead); got.code != http.StatusNotFound {
		p.t.Errorf("%s: got %d %s, want 404", port, got.code, got.body)
	}
}

// refused checks that a read is one too many, and that the answer tells the limit.
func (p *process) refused(port string, limit int) {
	p.t.Helper()
	got := p.get(port, aRead)
	if got.code != http.StatusTooManyRequests || !strings.Contains(got.body, `"rate_limited"`) {
		p.t.Fatalf("%s: got %d %s, want 429", port, got.code, got.body)
	}
	for name, want := range map[string]string{"RateLimit-Limit": strconv.Itoa(limit), "RateLimit-Remaining": "0"} {
		if value := got.header.Get(name); value != want {
			p.t.Errorf("%s: got %q, want %q", name, value, want)
		}
	}
	for _, name := range []string{"Retry-After", "RateLimit-Reset"} {
		if seconds, err := strconv.Atoi(got.header.Get(name)); err != nil || seconds < 1 || seconds > 24*60*60 {
			p.t.Errorf("%s: got %q, want seconds to the end of the day", name, got.header.Get(name))
		}
	}
}

func TestLimitsCountedInThisProcess(t *testing.T) {
	t.Parallel()
	settings := limited(t, 2)
	settings.SecondListen = "127.0.0.1:0"
	p := startPolls(t, settings, nil)
	p.passes(web)
	p.passes(web)
	p.refused(web, 2)
	p.passes(staging) // which has counts of its own
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := p.get(web, path); got.code != http.StatusOK {
			t.Errorf("%s: got %d, want 200: probes are not limited", path, got.code)
		}
	}
}

// writeRules puts a rule file of a room in place at once.
func writeRules(t *testing.T, folder, name, text string) {
	t.Helper()
	folder = filepath.Join(folder, "rules")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, folder, name+".new", []byte(text))
	if err := os.Rename(filepath.Join(folder, name+".new"), filepath.Join(folder, name)); err != nil {
		t.Fatal(err)
	}
}

func TestRulesOfARoomAreEditedWhileItRuns(t *testing.T) {
	t.Parallel()
	settings := pollSettings(t.TempDir())
	settings.Limits, settings.SecondListen, settings.Polls.Rules = "on", "127.0.0.1:0", "default"
	p := startPolls(t, settings, nil)
	p.passes(web)
	limitIs := func(port, limit string) func() bool {
		return func() bool {
			got := p.get(port, aRead)
			return got.code == http.StatusTooManyRequests && got.header.Get("RateLimit-Limit") == limit
		}
	}
	writeRules(t, settings.Data, "polls.yaml", readRules(0))
	eventually(t, "the edit holds", limitIs(web, "0"))
	p.passes(staging) // which has rules of its own
	writeRules(t, filepath.Join(settings.Data, "staging"), "polls.yaml", readRules(0))
	eventually(t, "the edit holds there", limitIs(staging, "0"))
	writeRules(t, settings.Data, "polls.yaml", strings.Replace(readRules(1), "day", "fortnight", 1))
	p.log.has(t, "polls.yaml:6:36: invalid rate limit unit 'fortnight'")
	if !limitIs(web, "0")() {
		t.Error("an edit with a fault changed the rules")
	}
	if err := os.Remove(filepath.Join(settings.Data, "rules", "polls.yaml")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the shipped rules hold again", func() bool { return p.get(web, aRead).code == http.StatusNotFound })
}

func TestRulesOfTheVideosAreEditedWhileTheyRun(t *testing.T) {
	t.Parallel()
	settings := pollSettings(t.TempDir())
	settings.Limits = "on"
	p := newProcess(t)
	p.run(settings, nil, []string{"video"})
	address := p.address("video")
	shown := shownKey.FindStringSubmatch(p.log.String())
	if shown == nil {
		t.Fatal("no API key is shown")
	}
	list := func() answer { return fetch(t, http.MethodGet, "http://"+shown[1]+":@"+address+"/videos", "") }
	if got := list(); got.code != http.StatusOK || got.header.Get("X-RateLimit-Limit") != "500" {
		t.Errorf("got %d with %v, want the shipped limit", got.code, got.header)
	}
	writeRules(t, settings.Data, "video.yaml", `domain: video
descriptors:
  - key: api_key
    value: first
    descriptors:
      - {key: kind, value: read, rate_limit: {unit: year, requests_per_unit: 0}}
`)
	eventually(t, "the edit holds", func() bool {
		got := list()
		return got.code == http.StatusTooManyRequests && got.header.Get("X-RateLimit-Limit") == "0" &&
			strings.Contains(got.body, "/too-many-requests\"")
	})
}

func TestShadowModeIsNotForPolls(t *testing.T) {
	t.Parallel()
	p := startPolls(t, limited(t, 1), environ{"SHADOW_MODE": "true", "QUOTA_MODE": "true"})
	p.passes(web)
	p.refused(web, 1)
}

func TestLimitsOff(t *testing.T) {
	t.Parallel()
	settings := limited(t, 1)
	settings.Limits = "off"
	p := startPolls(t, settings, nil)
	for range 3 {
		p.passes(web)
	}
}

func TestLimitsOfAnotherProcess(t *testing.T) {
	t.Parallel()
	far := start(t, readRules(2), nil)
	settings := limited(t, 3)
	settings.LimitsAddress = app.ServiceAddress(far.address("grpc"))
	p := startPolls(t, settings, nil)
	// The first calls may meet a connection that is not there yet, or a machine that
	// is too busy to answer in time: then they count here.
	eventually(t, "the far one refuses", func() bool {
		got := p.get(web, aRead)
		return got.code == http.StatusTooManyRequests && got.header.Get("RateLimit-Limit") == "2"
	})
	if err := far.stop(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "this process decides", func() bool {
		got := p.get(web, aRead)
		return got.code == http.StatusTooManyRequests && got.header.Get("RateLimit-Limit") == "3"
	})
	p.log.has(t, "the rate limit service fails: deciding in this process")
	if p.stats()["ratelimit.fallback.near_decisions"] < 3 {
		t.Error("the decisions of this process are not counted")
	}
}

func TestLimitsWhileTheOtherProcessIsAway(t *testing.T) {
	t.Parallel()
	nobody, _ := freeAddress(t)
	settings := limited(t, 2)
	settings.LimitsAddress = app.ServiceAddress(nobody)
	p := startPolls(t, settings, nil)
	p.passes(web)
	p.passes(web)
	p.refused(web, 2)
}

func TestProcessesShareLimitsInRedis(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	settings := limited(t, 4)
	settings.DB, settings.Secret = app.Database(dbtest.Postgres(t)), "the same for both"
	one, two := startPolls(t, settings, onRedis(redis)), startPolls(t, settings, onRedis(redis))
	for _, p := range []*process{one, two} {
		asked := 0.0
		eventually(t, "redis is asked, and refuses", func() bool {
			asked++
			code := p.get(web, aRead).code
			return code == http.StatusTooManyRequests && p.stats()["ratelimit.fallback.near_decisions"] < asked
		})
	}
	keys, err := redis.Command("KEYS", "*")
	if err != nil || len(strings.Fields(keys)) != 1 || !strings.HasPrefix(keys, "polls_route_read_address_") {
		t.Errorf("got keys %q, %v, want one for both", keys, err)
	}
	redis.Kill()
	for range 5 {
		if got := one.get(web, aRead); got.code >= 500 {
			t.Errorf("without redis: got %d %s, want that this process decides", got.code, got.body)
		}
	}
}

package video_test

import (
	"testing"

	"stoa/internal/db"
	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
	"stoa/video"
)

// limited counts calls in memory.
func limited(t testing.TB) func(*video.Options) {
	return func(o *video.Options) {
		counter := memory.New(memory.Config{MaxKeys: 1000}, stats.NewRegistry(), o.Log)
		rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{{Domain: video.LimitDomain(o.Environment)}}, false)
		if err != nil {
			t.Fatal(err)
		}
		l := ratelimit.New(ratelimit.Options{Counter: counter, Stats: stats.NewRegistry()})
		l.Use(rules)
		o.Decider = l
	}
}

func TestAKeyHasLimits(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, limited(t))
		a := s.call("GET", "/videos", nil)
		a.want(200)
		if got := a.header.Get("X-RateLimit-Limit"); got != "500" {
			t.Errorf("limit of reads: got %q want 500", got)
		}
		key, err := s.CreateKey(t.Context(), "few", video.DefaultProject, video.Limits{Reads: 1_000_000, Writes: 1})
		if err != nil {
			t.Fatal(err)
		}
		s.callAs(key, "POST", "/videos", object{"title": "one"}).want(201)
		over := s.callAs(key, "POST", "/videos", object{"title": "two"})
		if over.status == 201 { // the minute turned between the two
			over = s.callAs(key, "POST", "/videos", object{"title": "three"})
		}
		over.refused(429, "too-many-requests", "")
		if over.header.Get("X-RateLimit-Remaining") != "0" || over.header.Get("X-RateLimit-Retry-After") == "" {
			t.Errorf("got headers %v want none remaining and when to come again", over.header)
		}
		s.callAs(key, "GET", "/videos", nil).want(200)
		s.call("POST", "/videos", object{"title": "another key"}).want(201)
	})
}

package video_test

import (
	"maps"
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
		text, _ := video.ShippedRules(video.UsualRules(o.Environment))
		spec, err := ratelimit.ParseDomain("video.yaml", text, video.RuleDomain, video.LimitDomain(o.Environment))
		if err != nil {
			t.Fatal(err)
		}
		rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
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

func TestNumbersOfTheShippedRules(t *testing.T) {
	t.Parallel()
	for environment, want := range map[string]map[string]string{
		video.Production: {
			"video.api_key.kind_upload": "100 per minute", "video.api_key.kind_write": "200 per minute",
			"video.api_key.kind_read": "500 per minute", "video.project.kind_upload": "100 per minute",
		},
		"staging": {
			"video_staging.api_key.kind_upload": "40 per minute", "video_staging.api_key.kind_write": "40 per minute",
			"video_staging.api_key.kind_read": "100 per minute", "video_staging.project.kind_upload": "40 per minute",
		},
	} {
		text, ok := video.ShippedRules(video.UsualRules(environment))
		spec, err := ratelimit.ParseDomain("video.yaml", text, video.RuleDomain, video.LimitDomain(environment))
		if err != nil || !ok {
			t.Fatal(err)
		}
		rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for rule := range rules.All() {
			got[rule.Path] = rule.Limit.String()
		}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", environment, got, want)
		}
	}
}

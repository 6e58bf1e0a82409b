package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
)

func oneRule(domain string, n int) string {
	return fmt.Sprintf("domain: %s\ndescriptors: [{key: user, rate_limit: {unit: year, requests_per_unit: %d}}]\n", domain, n)
}

// limitOf is the limit in force for user=u; 0 for none.
func (p *process) limitOf(client rlsv3.RateLimitServiceClient, domain string) uint32 {
	p.t.Helper()
	got, err := client.ShouldRateLimit(p.t.Context(), ask(domain, "user=u"))
	if err != nil {
		p.t.Fatal(err)
	}
	return got.Statuses[0].CurrentLimit.GetRequestsPerUnit()
}

func TestRulesAreReadAgain(t *testing.T) {
	t.Parallel()
	for _, watchRoot := range []string{"true", "false"} {
		t.Run("RUNTIME_WATCH_ROOT="+watchRoot, func(t *testing.T) {
			t.Parallel()
			p := start(t, oneRule("shop", 10), environ{"RUNTIME_WATCH_ROOT": watchRoot})
			client := p.client()
			if got := p.limitOf(client, "shop"); got != 10 {
				t.Fatalf("got limit %d, want 10", got)
			}
			p.write("rules.yaml", oneRule("shop", 20))
			eventually(t, "an edited file counts", func() bool { return p.limitOf(client, "shop") == 20 })
			p.write("more.yml", oneRule("garage", 30))
			eventually(t, "a new file counts", func() bool { return p.limitOf(client, "garage") == 30 })
			if err := os.Remove(filepath.Join(p.rules, "more.yml")); err != nil {
				t.Fatal(err)
			}
			eventually(t, "a file that went counts no more", func() bool { return p.limitOf(client, "garage") == 0 })
		})
	}
}

func TestBadSetKeepsTheOldRules(t *testing.T) {
	t.Parallel()
	p := start(t, oneRule("shop", 10), nil)
	client := p.client()
	before := p.stats()
	p.write("bad.yaml", "domain: garage\ndescriptors: [{key: user, rate_limit: {unit: fortnight}}]\n")
	p.log.has(t, `Error loading new configuration: bad.yaml:2:`)
	p.log.has(t, `invalid rate limit unit 'fortnight'`)
	p.write("rules.yaml", oneRule("shop", 20)) // good by itself, but the set is not
	eventually(t, "the second load is rejected too", func() bool {
		return p.stats()["ratelimit.service.config_load_error"] >= before["ratelimit.service.config_load_error"]+2
	})
	if got := p.limitOf(client, "shop"); got != 10 {
		t.Errorf("got limit %d, want that 10 stays", got)
	}
	if got := p.stats()["ratelimit.service.config_load_success"]; got != 1 {
		t.Errorf("got config_load_success %v, want 1: the start", got)
	}
	p.write("bad.yaml", oneRule("garage", 5))
	eventually(t, "the mended set counts", func() bool { return p.limitOf(client, "shop") == 20 && p.limitOf(client, "garage") == 5 })
}

func TestCountsSurviveAReload(t *testing.T) {
	t.Parallel()
	p := start(t, oneRule("shop", 10), nil)
	client := p.client()
	p.limitOf(client, "shop")
	p.write("rules.yaml", oneRule("shop", 2))
	eventually(t, "the new limit", func() bool { return p.limitOf(client, "shop") == 2 })
	got, err := client.ShouldRateLimit(t.Context(), ask("shop", "user=u"))
	if err != nil || got.OverallCode != rlsv3.RateLimitResponse_OVER_LIMIT {
		t.Errorf("got %v, %v, want OVER_LIMIT: three hits were counted", got, err)
	}
}

func TestDomainInTwoFiles(t *testing.T) {
	t.Parallel()
	const more = "domain: shop\ndescriptors: [{key: path, rate_limit: {unit: year, requests_per_unit: 7}}]\n"
	merged := start(t, oneRule("shop", 10), environ{"MERGE_DOMAIN_CONFIG": "true"})
	merged.write("more.yaml", more)
	eventually(t, "both files count", func() bool {
		body := merged.get("debug", "/rlconfig").body
		return strings.Contains(body, "shop.user:") && strings.Contains(body, "shop.path:")
	})
	apart := start(t, oneRule("shop", 10), nil)
	apart.write("more.yaml", more)
	apart.log.has(t, "duplicate domain 'shop' in config file")
}

func TestNewcomersRules(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/srv/runtime_data/current"); err == nil {
		t.Skip("this machine has rules at the usual place")
	}
	p := launch(t, "", environ{"RUNTIME_ROOT": ""})
	p.address("grpc")
	p.rules = filepath.Join(filepath.Dir(p.rules), "data", "ratelimit", "config")
	client := p.client()
	p.write("rules.yaml", oneRule("shop", 10))
	eventually(t, "rules that appear in the data folder count", func() bool { return p.limitOf(client, "shop") == 10 })
}

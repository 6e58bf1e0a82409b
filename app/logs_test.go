package app_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/ratelimit/redis/redistest"
)

var textLine = regexp.MustCompile(`^time="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ" level=(trace|debug|info|warning|error) msg=("(?:[^"\\]|\\.)*"|\S+)`)

// logged is the messages of the log by level.
func logged(t *testing.T, p *process) map[string][]string {
	t.Helper()
	messages := make(map[string][]string)
	for line := range strings.Lines(p.log.String()) {
		m := textLine.FindStringSubmatch(line)
		if m == nil {
			t.Errorf("got line %q, want time, level and msg", line)
			continue
		}
		messages[m[1]] = append(messages[m[1]], strings.ReplaceAll(strings.Trim(m[2], `"`), `\"`, `"`))
	}
	return messages
}

func TestLinesToKeep(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t, redistest.Password("hunter2"))
	set := maps.Clone(onRedis(redis))
	set["REDIS_URL"] = "redis://:hunter2@" + redis.Addr()
	set["REDIS_POOL_SIZE"] = "3"
	p := start(t, `domain: shop
descriptors:
  - key: path
    value: /api
    rate_limit: {unit: day, requests_per_unit: 5}
    descriptors: [{key: user}]
  - {key: free, rate_limit: {unlimited: true}}
`, set)
	p.postJSON("{")
	p.write("bad.yaml", "domain: shop\ncolour: red\n")
	p.log.has(t, "bad.yaml")
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	messages := logged(t, p)
	for level, want := range map[string][]string{
		"warning": {
			"Listening for debug on '" + p.open("debug") + "'",
			"Listening for HTTP on '" + p.open("http") + "'",
			"Listening for gRPC on '" + p.open("grpc") + "'",
		},
		"debug": {
			"loading domain: shop",
			"loading descriptor: key=shop.path_/api ratelimit={requests_per_unit=5, unit=DAY, unlimited=false, shadow_mode=false, quota_mode=false}",
			"loading descriptor: key=shop.path_/api.user",
			"loading descriptor: key=shop.free ratelimit={requests_per_unit=0, unit=UNKNOWN, unlimited=true, shadow_mode=false, quota_mode=false}",
		},
		"info": {"Successfully loaded new configuration"},
	} {
		for _, line := range want {
			if !slices.Contains(messages[level], line) {
				t.Errorf("no %s line %q", level, line)
			}
		}
	}
	for level, want := range map[string]string{
		"warning": `^connecting to redis on .*` + regexp.QuoteMeta(redis.Addr()) + ` with pool size 3$`,
		"error":   `^Error loading new configuration: bad\.yaml:.*unknown key 'colour'`,
	} {
		if !slices.ContainsFunc(messages[level], regexp.MustCompile(want).MatchString) {
			t.Errorf("no %s line like %q in %q", level, want, messages[level])
		}
	}
	if !slices.ContainsFunc(messages["warning"], regexp.MustCompile(`^error: .`).MatchString) {
		t.Error("no warning for the failed /json call")
	}
	if strings.Contains(p.log.String(), "hunter2") {
		t.Error("the password is logged")
	}
}

func TestMergedDomainsAreLogged(t *testing.T) {
	t.Parallel()
	p := start(t, oneRule("shop", 1), environ{"MERGE_DOMAIN_CONFIG": "true"})
	p.write("more.yaml", "domain: shop\ndescriptors: [{key: path}]\n")
	p.log.has(t, "patching domain: shop")
}

func TestLogLevel(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		level string
		want  []string // levels that may be seen
	}{
		{"", []string{"warning", "error"}},
		{"WARN", []string{"warning", "error"}},
		{"warning", []string{"warning", "error"}},
		{"Info", []string{"info", "warning", "error"}},
		{"ERROR", []string{"error"}},
	} {
		t.Run(test.level, func(t *testing.T) {
			t.Parallel()
			p := start(t, "domain: shop\ncolour: red\n", environ{"LOG_LEVEL": test.level})
			if err := p.stop(); err != nil {
				t.Fatal(err)
			}
			got := slices.Sorted(maps.Keys(logged(t, p)))
			slices.Sort(test.want)
			if !slices.Equal(got, test.want) {
				t.Errorf("got lines of levels %q, want %q", got, test.want)
			}
		})
	}
}

func TestLogsAsJSON(t *testing.T) {
	t.Parallel()
	p := start(t, "domain: shop\ncolour: red\n", environ{"LOG_FORMAT": "json"})
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	levels := make(map[string]bool)
	for line := range strings.Lines(p.log.String()) {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		message, _ := got["@message"].(string)
		at, _ := got["@timestamp"].(string)
		level, _ := got["level"].(string)
		if _, err := time.Parse(time.RFC3339Nano, at); err != nil || message == "" {
			t.Errorf("got %q, want @message and @timestamp", line)
		}
		levels[level] = true
	}
	for _, want := range []string{"warning", "error", "info"} {
		if !levels[want] {
			t.Errorf("got levels %v, want %s among them", levels, want)
		}
	}
}

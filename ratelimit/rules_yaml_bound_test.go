package ratelimit_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"stoa/ratelimit"
)

func TestHundredLevelsDeep(t *testing.T) {
	const levels = 100
	var yaml strings.Builder
	yaml.WriteString("domain: shop\n")
	for i := range levels {
		yaml.WriteString(strings.Repeat("  ", i) + "descriptors:\n" + strings.Repeat("  ", i) + "- key: k\n")
	}
	yaml.WriteString(strings.Repeat("  ", levels) + perHour + "\n")
	b := open(t, yaml.String())
	entries := strings.TrimSuffix(strings.Repeat("k=v,", levels), ",")
	equal(t, "deepest", path(b.decide(t, request(entries))), "shop"+strings.Repeat(".k", levels))
	equal(t, "one less", path(b.decide(t, request(strings.TrimSuffix(entries, ",k=v")))), "")
}

func TestTooDeepIsRefused(t *testing.T) {
	for _, test := range []struct{ name, yaml string }{
		{"lists", "domain: shop\ndescriptors: " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "\n"},
		{"maps", "domain: shop\ndescriptors: " + strings.Repeat("{a: ", 2000) + strings.Repeat("}", 2000) + "\n"},
		{"aliases on aliases", towers()},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ratelimit.ParseYAML("shop.yaml", []byte(test.yaml))
			if err == nil || !strings.HasSuffix(err.Error(), "nested too deep: more than 1000 levels") {
				t.Errorf("got %.200v, want nested too deep", err)
			}
		})
	}
}

// towers is ten anchors, each 200 levels high and standing on the one before.
func towers() string {
	var yaml strings.Builder
	yaml.WriteString("domain: shop\nmetadata:\n  t0: &t0 [x]\n")
	for i := range 10 {
		yaml.WriteString(fmt.Sprintf("  t%d: &t%d %s*t%d%s\n", i+1, i+1, strings.Repeat("[", 200), i, strings.Repeat("]", 200)))
	}
	return yaml.String()
}

// bomb is ten lists, each of ten aliases of the one before: ten thousand million
// values in half a kilobyte.
func bomb(leaf string) string {
	var yaml strings.Builder
	yaml.WriteString("domain: shop\nmetadata:\n  b0: &b0 " + leaf + "\n")
	for i := range 10 {
		yaml.WriteString(fmt.Sprintf("  b%d: &b%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*b%d, ", i), 10), ", ")))
	}
	return yaml.String()
}

func TestBombsAreRefusedInBoundedTimeAndMemory(t *testing.T) {
	items := strings.TrimSuffix(strings.Repeat("{key: a}, ", 200), ", ")
	for _, test := range []struct{ name, yaml string }{
		{"lists of lists", bomb("[x, x]")},
		{"lists of maps", bomb("{key: a, descriptors: [{key: b}]}")},
		{"merge keys", bomb("{key: a}") + "descriptors:\n- <<: [*b10]\n"},
		{"long list many times", "domain: shop\ndescriptors:\n- {key: a, descriptors: &l [" + items + "]}\n" +
			strings.Repeat("- {key: a, descriptors: *l}\n", 2000)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			_, err := ratelimit.ParseYAML("shop.yaml", []byte(test.yaml))
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), "too large: aliases stand for more than 262144 values") {
				t.Errorf("got %.200v, want too large", err)
			}
			if took > 30*time.Second {
				t.Errorf("took %v", took)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 128<<20 {
				t.Errorf("used %d MiB", used>>20)
			}
		})
	}
}

func TestManyValuesAreRead(t *testing.T) {
	thousand := "[" + strings.Repeat("0,", 1000) + "]"
	for _, test := range []struct{ name, metadata string }{
		{"aliases up to the bound", "a: &a " + thousand + ", b: [" + strings.Repeat("*a,", 260) + "]"},
		{"without aliases there is none", "b: [" + strings.Repeat(thousand+",", 300) + "]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			equal(t, "faults", check(false, domain("{key: k, metadata: {"+test.metadata+"}}")), "")
		})
	}
}

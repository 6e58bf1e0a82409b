package ratelimit_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"stoa/ratelimit"
)

// model decides as the contract says, the slow and simple way: a map of counts,
// a map of totals, and a list of rules that is searched from the start.
type model struct {
	rules               []modelRule
	counts              map[string]uint64
	totals              map[string]uint64 // statistics by "path.stat"
	stop, quota, shadow bool
}

// modelRule is a rule for key k<n>, one level, any value.
type modelRule struct {
	limit                    uint32
	unit                     string
	multiplier               uint32
	unlimited, shadow, quota bool
	name, replaces           string
}

var unitSeconds = map[string]int64{"second": 1, "minute": 60, "hour": 3600, "day": 86400}

func (r modelRule) yaml(n int) string {
	limit := "unlimited: true"
	if !r.unlimited {
		limit = fmt.Sprintf("unit: %s, unit_multiplier: %d, requests_per_unit: %d", r.unit, r.multiplier, r.limit)
	}
	if r.name != "" {
		limit += ", name: " + r.name
	}
	if r.replaces != "" {
		limit += ", replaces: [{name: " + r.replaces + "}]"
	}
	return fmt.Sprintf("{key: k%d, shadow_mode: %t, quota_mode: %t, rate_limit: {%s}}", n, r.shadow, r.quota, limit)
}

// modelAsk is one descriptor: the number of its rule, its value and its hits.
type modelAsk struct {
	rule, value int
	hits        uint64
	back        bool
}

func (a modelAsk) text() string {
	sign := "+"
	if a.back {
		sign = "-"
	}
	return fmt.Sprintf("k%d=v%d %s%d", a.rule, a.value, sign, a.hits)
}

func (m *model) key(a modelAsk, now int64) string {
	r := m.rules[a.rule]
	window := unitSeconds[r.unit] * int64(r.multiplier)
	return fmt.Sprintf("%d %d %d %d", a.rule, a.value, window, now/window)
}

// applies tells whether the descriptor's rule has a limit that counts.
func (m *model) applies(asks []modelAsk, a modelAsk) bool {
	if a.rule >= len(m.rules) {
		return false
	}
	for _, other := range asks {
		if other.rule < len(m.rules) && m.rules[a.rule].name != "" && m.rules[other.rule].replaces == m.rules[a.rule].name {
			return false
		}
	}
	return true
}

func (m *model) decide(asks []modelAsk, now int64) string {
	spared := make([]bool, len(asks))
	anyOver := false
	for i, a := range asks {
		if m.counted(asks, a) && !a.back {
			over := m.counts[m.key(a, now)]+a.hits > uint64(m.rules[a.rule].limit)
			spared[i], anyOver = !over, anyOver || over
		}
	}
	var statuses []string
	refused, quotas, quotasOver := false, 0, 0
	for i, a := range asks {
		if !m.applies(asks, a) {
			statuses = append(statuses, "OK")
			if m.quota {
				quotas++
			}
			continue
		}
		r := m.rules[a.rule]
		if r.unlimited {
			statuses = append(statuses, "OK unlimited")
			continue
		}
		key := m.key(a, now)
		switch {
		case a.back:
			m.counts[key] -= min(m.counts[key], a.hits)
		case !(m.stop && anyOver && spared[i]):
			m.counts[key] += a.hits
		}
		count, code := m.counts[key], "OK"
		over := !a.back && count > uint64(r.limit)
		if over && !r.shadow {
			code = "OVER_LIMIT"
		}
		if !a.back {
			m.count(a, count)
		}
		if m.quota || r.quota {
			quotas++
			if code != "OK" {
				quotasOver++
			}
		} else if code != "OK" {
			refused = true
		}
		statuses = append(statuses, fmt.Sprintf("%s %d of %d per %s", code, uint64(r.limit)-min(count, uint64(r.limit)), r.limit, r.span()))
	}
	code := "OK"
	if (refused || quotas > 0 && quotas == quotasOver) && !m.shadow {
		code = "OVER_LIMIT"
	}
	return code + ": " + strings.Join(statuses, ", ")
}

func (m *model) counted(asks []modelAsk, a modelAsk) bool {
	return m.applies(asks, a) && !m.rules[a.rule].unlimited
}

func (r modelRule) span() string {
	if r.multiplier > 1 {
		return fmt.Sprintf("%d %ss", r.multiplier, r.unit)
	}
	return r.unit
}

// count is the table of near, over and within, row by row.
func (m *model) count(a modelAsk, after uint64) {
	r := m.rules[a.rule]
	limit, hits, now := int64(r.limit), int64(a.hits), int64(after)
	before, near := now-hits, int64(math.Floor(float64(float32(r.limit)*0.8)))
	add := func(stat string, n int64) { m.totals[fmt.Sprintf("k%d.%s", a.rule, stat)] += uint64(n) }
	add("total_hits", hits)
	over := int64(0)
	switch {
	case now > limit && before >= limit:
		over = hits
	case now > limit:
		over = now - limit
		add("near_limit", limit-max(near, before))
	case now > near && before >= near:
		add("near_limit", hits)
		add("within_limit", hits)
	case now > near:
		add("near_limit", now-near)
		add("within_limit", hits)
	default:
		add("within_limit", hits)
	}
	add("over_limit", over)
	if r.shadow {
		add("shadow_mode", over)
	}
}

func drawRule(t *rapid.T) modelRule {
	names := rapid.SampledFrom([]string{"", "", "x", "y"})
	r := modelRule{
		limit:      rapid.Uint32Range(0, 12).Draw(t, "limit"),
		unit:       rapid.SampledFrom([]string{"second", "minute", "hour", "day"}).Draw(t, "unit"),
		multiplier: rapid.SampledFrom([]uint32{1, 1, 2, 7}).Draw(t, "multiplier"),
		unlimited:  rapid.IntRange(0, 5).Draw(t, "unlimited") == 0,
		shadow:     rapid.IntRange(0, 3).Draw(t, "shadow") == 0,
		quota:      rapid.IntRange(0, 3).Draw(t, "quota") == 0,
		name:       names.Draw(t, "name"),
		replaces:   names.Draw(t, "replaces"),
	}
	if r.name == r.replaces {
		r.replaces = ""
	}
	return r
}

func drawAsk(t *rapid.T) modelAsk {
	return modelAsk{
		rule: rapid.IntRange(0, 4).Draw(t, "rule"), value: rapid.IntRange(0, 1).Draw(t, "value"),
		hits: rapid.Uint64Range(0, 4).Draw(t, "hits"), back: rapid.IntRange(0, 5).Draw(t, "back") == 0,
	}
}

// TestLimiterAgreesWithTheModel asks both, while the clock moves. Each try has a
// bubble of its own, so that rapid's own clock stands outside.
func TestLimiterAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(try *rapid.T) {
		var failure any // rapid wants it in its own goroutine
		synctest.Test(t, func(*testing.T) {
			defer func() { failure = recover() }()
			agree(try)
		})
		if failure != nil {
			panic(failure)
		}
	})
}

func agree(t *rapid.T) {
	m := &model{
		rules: rapid.SliceOfN(rapid.Custom(drawRule), 1, 4).Draw(t, "rules"), counts: map[string]uint64{}, totals: map[string]uint64{},
		stop: rapid.Bool().Draw(t, "stop"), quota: rapid.Bool().Draw(t, "quota"), shadow: rapid.Bool().Draw(t, "shadow"),
	}
	var rules []string
	for i, r := range m.rules {
		rules = append(rules, r.yaml(i))
	}
	b := open(t, domain(rules...), func(o *ratelimit.Options) {
		o.StopIncrement, o.Quota, o.Shadow = m.stop, m.quota, m.shadow
	})
	t.Repeat(map[string]func(*rapid.T){
		"time passes": func(t *rapid.T) {
			time.Sleep(time.Duration(rapid.Int64Range(1, 90_000).Draw(t, "seconds")) * time.Second / 10)
		},
		"ask": func(t *rapid.T) {
			asks := rapid.SliceOfN(rapid.Custom(drawAsk), 1, 4).Draw(t, "asks")
			var texts []string
			for _, a := range asks {
				texts = append(texts, a.text())
			}
			text := strings.Join(texts, "; ")
			explained, err := b.Explain(context.Background(), request(text))
			if err != nil {
				t.Fatal(err)
			}
			got, want := b.ask(t, text), m.decide(asks, time.Now().Unix())
			if got != want {
				t.Fatalf("%s\ngot  %s\nwant %s\nrules %s", text, got, want, strings.Join(rules, "\n      "))
			}
			if code, _, _ := strings.Cut(want, ":"); explained.OverallCode != code {
				t.Fatalf("%s\nexplained as %s, want %s", text, explained.OverallCode, code)
			}
		},
		"": func(t *rapid.T) {
			for i := range m.rules {
				for _, stat := range []string{"total_hits", "over_limit", "near_limit", "within_limit", "shadow_mode"} {
					name := fmt.Sprintf("k%d.%s", i, stat)
					if got, want := b.stat("ratelimit.service.rate_limit.shop."+name), fmt.Sprint(m.totals[name]); got != want {
						t.Fatalf("%s: got %s, want %s", name, got, want)
					}
				}
			}
		},
	})
}

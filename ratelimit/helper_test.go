package ratelimit_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"testing"

	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// tester is what helpers need of a testing.TB or a rapid.T.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// bench is a Limiter on memory with everything a test looks at.
type bench struct {
	*ratelimit.Limiter
	counter *spy
	stats   *stats.Registry
}

// spy is the memory counter; it remembers what it was asked and fails on demand.
type spy struct {
	*memory.Counter
	calls int
	asked []string // "key +hits" or "key -hits" of the last call
	err   error
}

func (s *spy) note(hits []ratelimit.Hit) error {
	s.calls++
	s.asked = s.asked[:0]
	for _, h := range hits {
		sign := "+"
		if h.Back {
			sign = "-"
		}
		s.asked = append(s.asked, fmt.Sprintf("%s %s%d", h.Key, sign, h.Add))
	}
	return s.err
}

func (s *spy) Add(ctx context.Context, hits []ratelimit.Hit) error {
	if err := s.note(hits); err != nil {
		return err
	}
	return s.Counter.Add(ctx, hits)
}

func (s *spy) AddUnlessOver(ctx context.Context, hits []ratelimit.Hit) error {
	if err := s.note(hits); err != nil {
		return err
	}
	return s.Counter.AddUnlessOver(ctx, hits)
}

// count looks at a key as another process would.
func (s *spy) count(t *testing.T, key string, w ratelimit.Window) uint64 {
	t.Helper()
	look := []ratelimit.Hit{{Key: []byte(key), Window: w}}
	if err := s.Counter.Add(t.Context(), look); err != nil {
		t.Fatal(err)
	}
	return look[0].Count
}

func parse(t tester, yaml string) *ratelimit.Rules {
	t.Helper()
	spec, err := ratelimit.ParseYAML("shop.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// domain is the YAML of domain shop with descriptors in flow style, one a line.
func domain(descriptors ...string) string {
	return "domain: shop\ndescriptors:\n- " + strings.Join(descriptors, "\n- ") + "\n"
}

// open makes a Limiter with rules; with none, it has no rules yet.
func open(t tester, yaml string, options ...func(*ratelimit.Options)) *bench {
	t.Helper()
	registry := stats.NewRegistry()
	b := &bench{stats: registry, counter: &spy{Counter: memory.New(memory.Config{MaxKeys: 1 << 20}, registry, quiet)}}
	o := ratelimit.Options{
		Config:  ratelimit.Config{NearLimitRatio: 0.8, MaxDynamicNames: 100},
		Counter: b.counter, Stats: registry,
	}
	for _, option := range options {
		option(&o)
	}
	b.Limiter = ratelimit.New(o)
	if yaml != "" {
		b.Use(parse(t, yaml))
	}
	return b
}

func shadow(o *ratelimit.Options) { o.Shadow = true }
func quota(o *ratelimit.Options)  { o.Quota = true }
func stop(o *ratelimit.Options)   { o.StopIncrement = true }
func known(o *ratelimit.Options)  { o.Known = ratelimit.NewKnownOver(1, o.Stats) }

// many is for tests with several callers, which the spy does not take.
func many(o *ratelimit.Options) { o.Counter = o.Counter.(*spy).Counter }

// descriptors reads "k=v,k=v +3; k=v -2; k=v": entries, then the descriptor's own
// hits or those it gives back.
func descriptors(text string) []ratelimit.Descriptor {
	var all []ratelimit.Descriptor
	for item := range strings.SplitSeq(text, "; ") {
		entries, hits, own := strings.Cut(item, " ")
		var d ratelimit.Descriptor
		for pair := range strings.SplitSeq(entries, ",") {
			if key, value, _ := strings.Cut(pair, "="); pair != "" {
				d.Entries = append(d.Entries, ratelimit.Entry{Key: key, Value: value})
			}
		}
		if own {
			d.OwnHits, d.GiveBack = true, hits[0] == '-'
			d.Hits, _ = strconv.ParseUint(hits[1:], 10, 64)
		}
		all = append(all, d)
	}
	return all
}

func request(text string) *ratelimit.Request {
	return &ratelimit.Request{Domain: "shop", Descriptors: descriptors(text)}
}

func (b *bench) decide(t tester, r *ratelimit.Request) *ratelimit.Decision {
	t.Helper()
	d := new(ratelimit.Decision)
	if err := b.Decide(context.Background(), r, d); err != nil {
		t.Fatalf("Decide: %v", err)
	}
	return d
}

// ask tells a decision in a line: "OVER_LIMIT: OK 4 of 5 per minute, OK".
func (b *bench) ask(t tester, text string) string {
	t.Helper()
	return told(b.decide(t, request(text)))
}

func told(d *ratelimit.Decision) string {
	var statuses []string
	for _, s := range d.Statuses {
		text := s.Code.String()
		switch {
		case s.Limited:
			text += fmt.Sprintf(" %d of %v", s.Remaining, s.Limit)
		case s.Remaining == math.MaxUint32:
			text += " unlimited"
		}
		statuses = append(statuses, text)
	}
	return d.Code.String() + ": " + strings.Join(statuses, ", ")
}

// stat is the total of a counter, "-" when no output shows it.
func (b *bench) stat(name string) string {
	for _, c := range b.stats.Snapshot().Counters {
		if c.ID().Name == name {
			return strconv.FormatUint(c.Total(), 10)
		}
	}
	return "-"
}

// rule is every statistic of a path that is not 0: "total_hits 3, over_limit 1".
func (b *bench) rule(path string) string {
	var all []string
	for _, name := range []string{"total_hits", "over_limit", "near_limit", "within_limit", "shadow_mode", "over_limit_with_local_cache"} {
		if n := b.stat("ratelimit.service.rate_limit." + path + "." + name); n != "0" && n != "-" {
			all = append(all, name+" "+n)
		}
	}
	return strings.Join(all, ", ")
}

func (b *bench) gauge(name string) int64 {
	return b.stats.Gauge("ratelimit.localcache." + name).Value()
}

func equal[T comparable](t tester, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

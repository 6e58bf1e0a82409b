package limits_test

import (
	"context"
	"io"
	"log/slog"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/stats"
	"stoa/polls/limits"
	"stoa/ratelimit"
	"stoa/ratelimit/memory"
)

var secret = []byte("the secret of an environment")

// newLimiter is a limiter on memory, with rules as a server loads them.
func newLimiter(t testing.TB, name, domain string) *ratelimit.Limiter {
	t.Helper()
	registry, log := stats.NewRegistry(), slog.New(slog.NewTextHandler(io.Discard, nil))
	limiter := ratelimit.New(ratelimit.Options{
		Config:  ratelimit.Config{NearLimitRatio: 0.8},
		Counter: memory.New(memory.Config{MaxKeys: 1 << 20}, registry, log),
		Stats:   registry,
	})
	spec, err := limits.Rules(name, domain)
	if err != nil {
		t.Fatal(err)
	}
	if err := ratelimit.NewLoader(limiter, false, log, func(int) {}).Load([]ratelimit.DomainSpec{spec}, nil); err != nil {
		t.Fatal(err)
	}
	return limiter
}

// listener is a limiter that remembers what it was asked.
type listener struct {
	*ratelimit.Limiter
	asked []string // "route=vote,voter=…"
}

func (l *listener) Decide(ctx context.Context, r *ratelimit.Request, d *ratelimit.Decision) error {
	l.asked = l.asked[:0]
	for _, descriptor := range r.Descriptors {
		var pairs []string
		for _, e := range descriptor.Entries {
			pairs = append(pairs, strings.Clone(e.Key+"="+e.Value))
		}
		l.asked = append(l.asked, strings.Join(pairs, ","))
	}
	return l.Limiter.Decide(ctx, r, d)
}

func newLimits(d ratelimit.Decider) *limits.Limits {
	return limits.New(limits.Options{Decider: d, Domain: "polls", Key: secret})
}

func ask(t testing.TB, l *limits.Limits, c limits.Call) limits.Answer {
	t.Helper()
	answer, err := l.Ask(context.Background(), c)
	if err != nil {
		t.Fatalf("Ask: %v", err)
	}
	return answer
}

var hashed = regexp.MustCompile(`(?m)(address|voter|account)=[A-Za-z0-9_-]{16}(,|$)`)

// unhashed puts # where a hash was.
func unhashed(descriptors []string) string {
	return hashed.ReplaceAllString(strings.Join(descriptors, "\n"), "$1=#$2")
}

var someone = netip.MustParseAddr("198.51.100.1")

// finder is a limiter that complains of a descriptor without a rule.
type finder struct {
	*ratelimit.Limiter
	t *testing.T
}

func (f *finder) Decide(ctx context.Context, r *ratelimit.Request, d *ratelimit.Decision) error {
	err := f.Limiter.Decide(ctx, r, d)
	for i, s := range d.Statuses {
		if !s.Limited {
			f.t.Errorf("no rule for %v", r.Descriptors[i].Entries)
		}
	}
	return err
}

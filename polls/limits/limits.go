package limits

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"stoa/ratelimit"
)

// Options is what Limits is made of.
type Options struct {
	Decider ratelimit.Decider // nil: everything passes
	Domain  string            // of the environment: polls, polls_staging
	Key     []byte            // the environment's secret: who has it can tell addresses from their hashes
}

// Limits asks whether calls may pass.
type Limits struct {
	decider ratelimit.Decider
	domain  string
	hasher  hasher
}

// New makes Limits.
func New(o Options) *Limits {
	return &Limits{decider: o.Decider, domain: o.Domain, hasher: newHasher(o.Key, o.Domain)}
}

// Answer is what came of a question.
type Answer struct {
	Over      bool // the call must be refused
	Limited   bool // a limit applied; without one the numbers have no meaning
	Limit     uint32
	Remaining uint32
	Reset     time.Duration // whole seconds to the end of the window
}

// Ask counts a call and tells whether it may pass. The numbers are those of the
// tightest of its limits. On an error nothing is known.
func (l *Limits) Ask(ctx context.Context, c Call) (Answer, error) {
	if l.decider == nil {
		return Answer{}, nil
	}
	q := questions.Get().(*question)
	defer q.release()
	q.write(l, &c)
	if err := l.decider.Decide(ctx, &q.request, &q.decision); err != nil {
		return Answer{}, err
	}
	answer := Answer{Over: q.decision.Code == ratelimit.OverLimit}
	if s := q.decision.Tightest(); s != nil {
		answer.Limited, answer.Limit, answer.Remaining = true, s.Limit.Requests, s.Remaining
		answer.Reset = time.Duration(s.Reset) * time.Second
	}
	return answer, nil
}

// Headers tells the numbers to the client, and one that is refused when to come
// again: in a second at least, also where the service told no window.
func (a Answer) Headers(h http.Header) {
	seconds := int64(a.Reset / time.Second)
	if a.Over {
		h.Set("Retry-After", strconv.FormatInt(max(seconds, 1), 10))
	}
	if a.Limited {
		h.Set("RateLimit-Limit", strconv.FormatUint(uint64(a.Limit), 10))
		h.Set("RateLimit-Remaining", strconv.FormatUint(uint64(a.Remaining), 10))
		h.Set("RateLimit-Reset", strconv.FormatInt(seconds, 10))
	}
}

// question is the memory of one call, used again by later ones.
type question struct {
	request  ratelimit.Request
	decision ratelimit.Decision
	entries  []ratelimit.Entry
}

var questions = sync.Pool{New: func() any {
	return &question{entries: make([]ratelimit.Entry, 0, mostEntries)}
}}

func (q *question) release() {
	clear(q.request.Descriptors)
	clear(q.entries)
	clear(q.decision.Statuses)
	questions.Put(q)
}

package video

import (
	"cmp"
	"net/http"
	"strconv"

	"stoa/ratelimit"
	"stoa/video/internal/problem"
)

// callKind is what a call is counted as.
type callKind string

const (
	uploadCall callKind = "upload" // carries a file
	writeCall  callKind = "write"
	readCall   callKind = "read"
)

// What a key may do a minute when nothing else was said as it was made.
var (
	productionLimits = Limits{Uploads: 100, Writes: 200, Reads: 500}
	sandboxLimits    = Limits{Uploads: 40, Writes: 40, Reads: 100}
)

// limit is a question to the rate limiter: who does what, and how often he may.
type limit struct {
	who, name string
	kind      callKind
	requests  int // a minute
}

func (c *caller) limitOf(kind callKind, sandbox bool) limit {
	return limit{"api_key", c.key, kind, c.limits.of(kind, sandbox)}
}

// projectLimit is for uploads that show a token and no key.
func projectLimit(project string, sandbox bool) limit {
	return limit{"project", project, uploadCall, Limits{}.of(uploadCall, sandbox)}
}

func (l Limits) of(kind callKind, sandbox bool) int {
	usual := productionLimits
	if sandbox {
		usual = sandboxLimits
	}
	switch kind {
	case uploadCall:
		return cmp.Or(l.Uploads, usual.Uploads)
	case writeCall:
		return cmp.Or(l.Writes, usual.Writes)
	}
	return cmp.Or(l.Reads, usual.Reads)
}

// limit counts a call, tells the numbers in its headers, and refuses what is one
// too many.
func (s *Service) limit(w http.ResponseWriter, r *http.Request, l limit) error {
	if s.Decider == nil {
		return nil
	}
	question := ratelimit.Request{Domain: LimitDomain(s.Environment), Descriptors: []ratelimit.Descriptor{{
		Entries:  []ratelimit.Entry{{Key: l.who, Value: l.name}, {Key: "kind", Value: string(l.kind)}},
		Override: ratelimit.Limit{Requests: uint32(l.requests), Unit: ratelimit.Minute},
	}}}
	var decision ratelimit.Decision
	if err := s.Decider.Decide(r.Context(), &question, &decision); err != nil {
		return err
	}
	if status := decision.Tightest(); status != nil {
		h := w.Header()
		h["X-RateLimit-Limit"] = []string{strconv.FormatUint(uint64(status.Limit.Requests), 10)}
		h["X-RateLimit-Remaining"] = []string{strconv.FormatUint(uint64(status.Remaining), 10)}
		h["X-RateLimit-Retry-After"] = []string{strconv.FormatInt(status.Reset, 10)}
	}
	if decision.Code == ratelimit.OverLimit {
		return problem.TooManyRequests
	}
	return nil
}

package video

import (
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

// limit is a question to the rate limiter: who does what, and how often he may where
// that is not left to the rules.
type limit struct {
	who, name string
	kind      callKind
	requests  int // a minute; 0: as the rules say
}

func (c *caller) limitOf(kind callKind) limit {
	return limit{"api_key", c.key, kind, c.limits.of(kind)}
}

// projectLimit is for uploads that show a token and no key.
func projectLimit(project string) limit { return limit{"project", project, uploadCall, 0} }

func (l Limits) of(kind callKind) int {
	switch kind {
	case uploadCall:
		return l.Uploads
	case writeCall:
		return l.Writes
	}
	return l.Reads
}

// limit counts a call, tells the numbers in its headers, and refuses what is one
// too many.
func (s *Service) limit(w http.ResponseWriter, r *http.Request, l limit) error {
	if s.Decider == nil {
		return nil
	}
	asked := ratelimit.Descriptor{Entries: []ratelimit.Entry{{Key: l.who, Value: l.name}, {Key: "kind", Value: string(l.kind)}}}
	if l.requests > 0 {
		asked.Override = ratelimit.Limit{Requests: uint32(l.requests), Unit: ratelimit.Minute}
	}
	question := ratelimit.Request{Domain: LimitDomain(s.Environment), Descriptors: []ratelimit.Descriptor{asked}}
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

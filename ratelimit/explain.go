package ratelimit

import (
	"context"
	"fmt"
	"time"
)

// Explanation says, without counting, what a request would get now and why.
type Explanation struct {
	Domain       string      `json:"domain"`
	DomainKnown  bool        `json:"domainKnown"`
	OverallCode  string      `json:"overallCode,omitzero"`
	Backend      string      `json:"backend,omitzero"`
	GlobalShadow bool        `json:"globalShadowMode"`
	Descriptors  []Reasoning `json:"descriptors"`
}

// Reasoning is the explanation of one descriptor. What has no meaning for the
// result is absent.
type Reasoning struct {
	Entries    []ExplainedEntry `json:"entries"`
	Result     string           `json:"result"`
	Reason     string           `json:"reason"`
	ReplacedBy string           `json:"replacedBy,omitzero"`
	Levels     []ExplainedLevel `json:"levels,omitzero"`
	Rule       *ExplainedRule   `json:"rule,omitzero"`
	Override   *ExplainedLimit  `json:"override,omitzero"`
	Key        string           `json:"key,omitzero"`
	Count      *uint64          `json:"count,omitzero"`
	CountError string           `json:"countError,omitzero"`
	Hits       *uint32          `json:"hits,omitzero"`
	Code       string           `json:"code,omitzero"`
	Remaining  *uint32          `json:"limitRemaining,omitzero"`
	ResetsAt   *time.Time       `json:"resetsAt,omitzero"`
	Reset      string           `json:"durationUntilReset,omitzero"`
	KnownOver  *bool            `json:"knownOver,omitzero"`
}

// ExplainedEntry is an entry of the request.
type ExplainedEntry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// ExplainedLevel lists the nodes that an entry was compared with, in order, up to
// the one that matched.
type ExplainedLevel struct {
	Tried []TriedNode `json:"tried"`
}

// TriedNode is a node that was looked for.
type TriedNode struct {
	Node    string `json:"node"`
	Kind    string `json:"kind"` // exact, wildcard or key
	Matched bool   `json:"matched"`
	Reason  string `json:"reason,omitzero"`
	explainedPlace
}

// ExplainedRule is the rule that decides.
type ExplainedRule struct {
	Path string `json:"path"`
	explainedPlace
	ExplainedLimit
	Name     string   `json:"name"`
	Shadow   bool     `json:"shadowMode"`
	Quota    bool     `json:"quotaMode"`
	Replaces []string `json:"replaces"`
}

// ExplainedLimit is a limit of a rule or of an override.
type ExplainedLimit struct {
	Requests   uint32 `json:"requestsPerUnit"`
	Unit       string `json:"unit"`
	Multiplier uint32 `json:"unitMultiplier"`
}

type explainedPlace struct {
	File     string `json:"file,omitzero"`
	Line     int    `json:"line,omitzero"`
	Column   int    `json:"column,omitzero"`
	Resource string `json:"resource,omitzero"`
}

// What became of a descriptor.
const (
	resultLimit         = "limit"
	resultOverride      = "override"
	resultUnlimited     = "unlimited"
	resultReplaced      = "replaced"
	resultNoRule        = "no_rule"
	resultUnknownDomain = "unknown_domain"
)

// Explain says what Decide would answer. No counter, statistic or memory of
// over-limit keys changes.
func (l *Limiter) Explain(ctx context.Context, r *Request) (*Explanation, error) {
	rules := l.rules.Load()
	if err := refuse(r, rules); err != nil {
		return nil, err
	}
	e, c := rules.explain(r)
	e.GlobalShadow = l.Shadow
	d := Decision{Statuses: make([]Status, len(r.Descriptors))}
	for i := range d.Statuses {
		d.Statuses[i] = Status{Code: OK, Quota: l.Quota && e.Descriptors[i].Result != resultUnlimited}
	}
	for i := range c.checks {
		ch := &c.checks[i]
		c.key(ch, l, r)
		ch.known = !ch.back && l.Known.peek(ch.hit.Key, ch.hit.Window)
	}
	hits, err := l.look(ctx, c)
	after := totals(hits)
	for i := range c.checks {
		ch := &c.checks[i]
		why := &e.Descriptors[ch.at]
		why.describeKey(ch, c.now)
		if err != nil {
			why.CountError = err.Error()
			why.Reason = fmt.Sprintf("the count is not known: %v", err)
			continue
		}
		d.Statuses[ch.at].Quota = l.Quota || ch.rule != nil && ch.rule.Quota
		d.Statuses[ch.at].Code = why.describeCount(ch, hits[i], after[i])
	}
	if err == nil {
		d.conclude()
		if l.Shadow {
			d.Code = OK
		}
		e.OverallCode = d.Code.String()
	}
	return e, nil
}

// look reads the counts of the checks: Count is the stored one, Add what the call
// would add.
func (l *Limiter) look(ctx context.Context, c *call) ([]Hit, error) {
	looks := make([]Hit, len(c.checks))
	after := make([]Hit, len(c.checks))
	spare := false
	for i := range c.checks {
		after[i] = c.checks[i].hit
		looks[i] = c.checks[i].hit
		looks[i].Add, looks[i].Back = 0, false
		spare = spare || c.checks[i].known
	}
	if len(looks) == 0 {
		return nil, nil
	}
	if err := look(ctx, l.Counter, looks); err != nil {
		return nil, err
	}
	for i := range after {
		after[i].Count = looks[i].Count
		if c.checks[i].known || l.stop != nil && spare && !after[i].Back {
			after[i].Add = 0
		}
	}
	if l.stop != nil && !spare {
		SpareOthers(after)
	}
	return after, nil
}

// totals is the counts after the hits: the same key twice counts twice.
func totals(hits []Hit) []uint64 {
	after := make([]uint64, len(hits))
	last := make(map[string]uint64, len(hits))
	for i, h := range hits {
		count, again := last[string(h.Key)]
		if !again {
			count = h.Count
		}
		if h.Back {
			count -= min(count, uint64(h.Add))
		} else {
			count += uint64(h.Add)
		}
		after[i], last[string(h.Key)] = count, count
	}
	return after
}

// A Looker reads counts and tells when it cannot, where Add would fail open.
type Looker interface {
	Look(ctx context.Context, hits []Hit) error
}

func look(ctx context.Context, c Counter, hits []Hit) error {
	if l, ok := c.(Looker); ok {
		return l.Look(ctx, hits)
	}
	return c.Add(ctx, hits)
}

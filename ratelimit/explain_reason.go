package ratelimit

import (
	"fmt"
	"strings"
	"time"
)

// Explain says which rules a request meets, without a counter.
func (rules *Rules) Explain(r *Request) (*Explanation, error) {
	if err := refuse(r, rules); err != nil {
		return nil, err
	}
	e, c := rules.explain(r)
	for i := range c.checks {
		ch := &c.checks[i]
		e.Descriptors[ch.at].Reason = fmt.Sprintf("%v; the count is known to a running service only", ch.limit)
	}
	return e, nil
}

// explain does the matching. The checks of the call are the limits that count.
func (rules *Rules) explain(r *Request) (*Explanation, *call) {
	domain := rules.domains[r.Domain]
	e := &Explanation{Domain: r.Domain, DomainKnown: domain != nil, Descriptors: make([]Reasoning, len(r.Descriptors))}
	c := &call{now: time.Now().Unix()}
	if domain != nil {
		c.find(domain, r)
		c.markReplaced()
	}
	for i := range r.Descriptors {
		d := &r.Descriptors[i]
		why := &e.Descriptors[i]
		why.Entries = make([]ExplainedEntry, len(d.Entries))
		for j, entry := range d.Entries {
			why.Entries[j] = ExplainedEntry(entry)
		}
		switch {
		case domain == nil:
			why.Result, why.Reason = resultUnknownDomain, fmt.Sprintf("there are no rules for domain %q", r.Domain)
		case !d.Override.Valid():
			why.Result = resultNoRule
			why.Levels, why.Reason = domain.trace(r.Domain, d.Entries)
		}
	}
	kept := c.checks[:0]
	for _, ch := range c.checks {
		if e.Descriptors[ch.at].settle(&ch) {
			kept = append(kept, ch)
		}
	}
	c.checks = kept
	return e, c
}

// settle fills in the rule or override and tells whether its limit counts.
func (why *Reasoning) settle(ch *check) bool {
	if ch.rule == nil {
		limit := explainLimit(ch.limit)
		why.Result, why.Override = resultOverride, &limit
		return true
	}
	r := ch.rule
	why.Rule = &ExplainedRule{
		Path: r.Path, explainedPlace: place(r.At), ExplainedLimit: explainLimit(r.Limit),
		Name: r.Name, Shadow: r.Shadow, Quota: r.Quota, Replaces: append([]string{}, r.Replaces...),
	}
	switch {
	case ch.replacedBy != nil:
		why.Result, why.ReplacedBy = resultReplaced, ch.replacedBy.Path
		why.Reason = fmt.Sprintf("its limit %q is replaced by %s", r.Name, ch.replacedBy.Path)
		return false
	case r.Unlimited:
		why.Result, why.Reason = resultUnlimited, "the rule is unlimited"
		return false
	}
	why.Result = resultLimit
	return true
}

func explainLimit(l Limit) ExplainedLimit {
	return ExplainedLimit{Requests: l.Requests, Unit: l.Unit.String(), Multiplier: max(l.Multiplier, 1)}
}

func place(at Position) explainedPlace { return explainedPlace(at) }

// describeKey fills in what is known without the count.
func (why *Reasoning) describeKey(ch *check, now int64) {
	why.Key = string(ch.hit.Key)
	why.Hits = &ch.hits
	why.ResetsAt = new(time.Unix(ch.hit.Window.End(), 0).UTC())
	why.Reset = fmt.Sprintf("%ds", ch.hit.Window.Reset(now))
	why.KnownOver = &ch.known
}

const reasonCount = "count %d after this call"

// describeCount fills in the count and says what the call would get.
func (why *Reasoning) describeCount(ch *check, h Hit, after uint64) Code {
	why.Count = &h.Count
	code := OK
	over := ch.known || !h.Back && after > uint64(ch.limit.Requests)
	var notes strings.Builder
	if over {
		code = OverLimit
	}
	if ch.known {
		notes.WriteString(", and this process remembers the key as over")
	}
	if over && ch.rule != nil && ch.rule.Shadow {
		code = OK
		notes.WriteString(", but the rule is in shadow mode")
	}
	if over && ch.rule != nil && ch.rule.Quota {
		notes.WriteString("; the rule is in quota mode and refuses only together with every other quota rule")
	}
	word := "within"
	if after > uint64(ch.limit.Requests) {
		word = "over"
	}
	why.Code = code.String()
	why.Reason = fmt.Sprintf(reasonCount+" is %s %v%s", after, word, ch.limit, notes.String())
	why.Remaining = new(uint32(0))
	if !over {
		*why.Remaining = remaining(ch.limit, after)
	}
	return code
}

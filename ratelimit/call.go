package ratelimit

import (
	"context"
	"math"
	"slices"
)

// call is one decision in the making: which limits apply, what is added to which
// counter, and what came of it.
type call struct {
	now    int64
	checks []check
	hits   []Hit
	keys   []byte // the text of all keys, one after another
	spared bool   // a refused key keeps the others from being counted
}

// check is a limit that applies to a descriptor.
type check struct {
	at    int // which descriptor
	rule  *Rule
	limit Limit
	stats *ruleStats
	hits  uint32
	back  bool
	hit   Hit  // what the counter is asked, unless known
	known bool // over, as remembered: not counted again

	replacedBy *Rule
}

func (c *call) release() {
	clear(c.checks) // lets go of old rules and of borrowed keys
	clear(c.hits)
	c.checks, c.hits, c.keys, c.spared = c.checks[:0], c.hits[:0], c.keys[:0], false
	calls.Put(c)
}

// match finds the limit of every descriptor and fills the statuses that need no
// counting.
func (c *call) match(l *Limiter, rules *Rules, r *Request, d *Decision) {
	d.Statuses = slices.Grow(d.Statuses[:0], len(r.Descriptors))[:len(r.Descriptors)]
	for i := range d.Statuses {
		d.Statuses[i] = Status{Code: OK, Quota: l.Quota}
	}
	domain := rules.domains[r.Domain]
	if domain == nil {
		l.names.domainNotFound(r.Domain, c.now).Add(uint64(len(r.Descriptors)))
		return
	}
	c.find(domain, r)
	if rules.replacing {
		c.dropReplaced()
	}
	c.settleUnlimited(d)
}

// find makes a check of every descriptor that has an override or a rule.
func (c *call) find(domain *node, r *Request) {
	for i := range r.Descriptors {
		d := &r.Descriptors[i]
		ch := check{at: i, hits: r.hits(d), back: d.GiveBack}
		if d.Override.Valid() {
			ch.limit = d.Override
		} else if ch.rule = domain.match(d.Entries); ch.rule != nil {
			ch.limit = ch.rule.Limit
		} else {
			continue
		}
		c.checks = append(c.checks, ch)
	}
}

// dropReplaced forgets every rule that another rule of the request replaces. All
// are looked up before any is dropped: two that replace each other both go.
func (c *call) dropReplaced() {
	c.markReplaced()
	c.checks = slices.DeleteFunc(c.checks, func(ch check) bool { return ch.replacedBy != nil })
}

func (c *call) markReplaced() {
	for i := range c.checks {
		if r := c.checks[i].rule; r != nil && r.Name != "" {
			c.checks[i].replacedBy = c.replacer(r.Name)
		}
	}
}

func (c *call) replacer(name string) *Rule {
	for i := range c.checks {
		if r := c.checks[i].rule; r != nil && slices.Contains(r.Replaces, name) {
			return r
		}
	}
	return nil
}

func (c *call) settleUnlimited(d *Decision) {
	kept := c.checks[:0]
	for _, ch := range c.checks {
		if ch.rule != nil && ch.rule.Unlimited {
			d.Statuses[ch.at] = Status{Code: OK, Remaining: math.MaxUint32, Rule: ch.rule}
			continue
		}
		kept = append(kept, ch)
	}
	c.checks = kept
}

// plan makes the counter keys and takes out what is known to be over.
func (c *call) plan(l *Limiter, r *Request) {
	anyKnown := false
	for i := range c.checks {
		ch := &c.checks[i]
		c.key(ch, l, r)
		ch.stats = l.names.of(ch.rule, r.Domain, r.Descriptors[ch.at].Entries, c.now)
		if ch.back {
			continue
		}
		ch.stats.total.Add(uint64(ch.hits))
		ch.known = l.Known.Has(ch.hit.Key, ch.hit.Window, c.now)
		anyKnown = anyKnown || ch.known
	}
	c.spared = anyKnown && l.stop != nil
	for i := range c.checks {
		ch := &c.checks[i]
		if ch.known {
			continue
		}
		h := ch.hit
		if c.spared && !ch.back {
			h.Add = 0
		}
		c.hits = append(c.hits, h)
	}
}

// key makes the counter key of a check.
func (c *call) key(ch *check, l *Limiter, r *Request) {
	start := len(c.keys)
	window := ch.limit.Window(c.now)
	c.keys = l.key.append(c.keys, r.Domain, r.Descriptors[ch.at].Entries, ch.rule, ch.limit, window)
	ch.hit = Hit{
		Key: c.keys[start:len(c.keys):len(c.keys)], Window: window,
		Add: ch.hits, Back: ch.back, Limit: ch.limit.Requests,
	}
}

// count asks the counter, unless there is nothing to count.
func (c *call) count(ctx context.Context, l *Limiter) error {
	if len(c.hits) == 0 {
		return nil
	}
	if l.stop != nil && !c.spared && len(c.hits) > 1 {
		return l.stop.AddUnlessOver(ctx, c.hits)
	}
	return l.Counter.Add(ctx, c.hits)
}

// judge turns counts into statuses and statistics.
func (c *call) judge(l *Limiter, d *Decision) {
	counted := 0
	for i := range c.checks {
		ch := &c.checks[i]
		s := &d.Statuses[ch.at]
		*s = Status{
			Code: OK, Limited: true, Limit: ch.limit, Rule: ch.rule, Reset: ch.hit.Window.Reset(c.now),
			Quota: l.Quota || ch.rule != nil && ch.rule.Quota,
		}
		if ch.rule != nil {
			s.Name = ch.rule.Name
		}
		if ch.known {
			ch.stats.knownOver(ch)
		} else {
			count := c.hits[counted].Count
			counted++
			s.Remaining = remaining(ch.limit, count)
			if ch.back {
				l.Known.Forget(ch.hit.Key, ch.hit.Window)
				continue
			}
			ch.stats.judge(ch, count, l.NearLimitRatio)
			if count <= uint64(ch.limit.Requests) {
				l.traffic.Load().note(ch, false)
				continue
			}
			l.Known.Remember(ch.hit.Key, ch.hit.Window, c.now)
		}
		l.traffic.Load().note(ch, true)
		if ch.rule == nil || !ch.rule.Shadow {
			s.Code = OverLimit
		}
	}
}

func remaining(l Limit, count uint64) uint32 {
	if count >= uint64(l.Requests) {
		return 0
	}
	return l.Requests - uint32(count)
}

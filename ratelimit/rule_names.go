package ratelimit

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/puzpuzpuz/xsync/v4"

	"stoa/internal/stats"
)

// ruleNames gives rules and callers' values their statistics. Names that come
// from rule files are as many as the operator wrote. Names made of callers'
// values are bounded: while there is no room, their hits go to a common name.
type ruleNames struct {
	registry *stats.Registry
	fixed    *xsync.Map[string, *ruleStats]
	dynamic  *xsync.Map[string, *dynamicName]
	others   *stats.Counter // requests for domains that have no name of their own
	max      int64

	change sync.Mutex   // held to make names and to give them up
	size   atomic.Int64 // of dynamic
	swept  atomic.Int64 // second of the last search for idle names
}

// dynamicName is either the statistics of a path or the misses of a domain.
type dynamicName struct {
	of     string // the path of the rule that it is a part of, or of overrides
	rule   *ruleStats
	misses *stats.Counter
	used   atomic.Int64 // second of the last hit
}

// idleSeconds without a hit, a dynamic name makes room for another.
const idleSeconds = 3600

func newRuleNames(r *stats.Registry, max int) *ruleNames {
	return &ruleNames{
		registry: r, max: int64(max),
		fixed:   xsync.NewMap[string, *ruleStats](),
		dynamic: xsync.NewMap[string, *dynamicName](),
		others:  r.Counter(rulePrefix + "other.domain_not_found"),
	}
}

// bind gives every rule its statistics before the rules are put in force.
func (n *ruleNames) bind(r *Rules) {
	for rule := range r.All() {
		rule.stats = n.path(rule.Path)
	}
}

func (n *ruleNames) path(path string) *ruleStats {
	if s, ok := n.fixed.Load(path); ok {
		return s
	}
	n.change.Lock()
	defer n.change.Unlock()
	s, _ := n.fixed.LoadOrStore(path, newRuleStats(n.registry, path))
	return s
}

// of finds the statistics for a rule that matched, or for an override (rule nil).
func (n *ruleNames) of(r *Rule, domain string, entries []Entry, now int64) *ruleStats {
	if r != nil && !r.ownNames {
		return r.stats
	}
	var buf [256]byte
	path := appendPath(buf[:0], r, domain, entries)
	if name := n.find(path, now, named{rule: r, domain: domain}); name != nil {
		return name.rule
	}
	if r != nil {
		return r.stats
	}
	return n.path(OverridePath(domain))
}

// domainNotFound is the counter of requests for a domain without rules.
func (n *ruleNames) domainNotFound(domain string, now int64) *stats.Counter {
	var buf [256]byte
	path := append(append(buf[:0], domain...), ".domain_not_found"...)
	if name := n.find(path, now, named{misses: true}); name != nil {
		return name.misses
	}
	return n.others
}

// named is what a dynamic name is of: a rule, an override (rule nil), or the misses of
// a domain.
type named struct {
	rule   *Rule
	domain string
	misses bool
}

func (w named) new(r *stats.Registry, path string) *dynamicName {
	switch {
	case w.misses:
		return &dynamicName{misses: r.Counter(rulePrefix + path)}
	case w.rule != nil:
		return &dynamicName{of: w.rule.Path, rule: newRuleStats(r, path)}
	}
	return &dynamicName{of: OverridePath(w.domain), rule: newRuleStats(r, path)}
}

// find looks a dynamic name up, or makes it; nil when there is no room.
func (n *ruleNames) find(path []byte, now int64, what named) *dynamicName {
	name, ok := n.dynamic.Load(unsafe.String(unsafe.SliceData(path), len(path)))
	if !ok {
		if n.full() && n.swept.Load() == now {
			return nil
		}
		if name = n.add(string(path), now, what); name == nil {
			return nil
		}
	}
	if name.used.Load() != now {
		name.used.Store(now)
	}
	return name
}

func (n *ruleNames) full() bool { return n.size.Load() >= n.max }

func (n *ruleNames) add(path string, now int64, what named) *dynamicName {
	n.change.Lock()
	defer n.change.Unlock()
	if name, ok := n.dynamic.Load(path); ok {
		return name
	}
	if n.full() {
		n.sweep(now)
	}
	if n.full() {
		return nil
	}
	name := what.new(n.registry, path)
	name.used.Store(now)
	n.dynamic.Store(path, name)
	n.size.Add(1)
	return name
}

// sweep makes room by giving up idle names, at most once a second: it walks all
// of them.
func (n *ruleNames) sweep(now int64) {
	if n.swept.Swap(now) == now {
		return
	}
	var idle []*dynamicName
	n.dynamic.DeleteMatching(func(_ string, name *dynamicName) (del, stop bool) {
		if now-name.used.Load() < idleSeconds {
			return false, false
		}
		idle = append(idle, name)
		return true, false
	})
	n.size.Add(-int64(len(idle)))
	n.forget(idle)
}

// forget takes the counters of names out of every output, except those that
// another name has as well: an override may spell the name of a rule, and names
// that differ in a dot or a colon become the same when they are cleaned.
func (n *ruleNames) forget(idle []*dynamicName) {
	if len(idle) == 0 {
		return
	}
	kept := map[*stats.Counter]bool{n.others: true}
	for _, s := range n.fixed.All() {
		kept[s.total] = true
	}
	for _, name := range n.dynamic.All() {
		kept[name.counters()[0]] = true
	}
	for _, name := range idle {
		if counters := name.counters(); !kept[counters[0]] {
			n.registry.Forget(counters...)
		}
	}
}

func (d *dynamicName) counters() []*stats.Counter {
	if d.misses != nil {
		return []*stats.Counter{d.misses}
	}
	return d.rule.counters()
}

// appendPath writes the statistics name of what a descriptor matched: every entry
// with its value for an override or a detailed rule (which keeps its _ before an
// empty value, as dashboards have it), else each level by its own flag.
func appendPath(dst []byte, r *Rule, domain string, entries []Entry) []byte {
	dst = append(dst, domain...)
	for i, e := range entries {
		dst = append(dst, '.')
		if r != nil {
			level := r.levels[i]
			byValue := r.DetailedMetric || level.valueToMetric && (level.value.text == "" || level.wildcard())
			if level.share || !byValue {
				dst = append(dst, level.name...)
				continue
			}
		}
		dst = append(dst, e.Key...)
		if e.Value != "" || r != nil && r.DetailedMetric {
			dst = append(dst, '_')
			dst = append(dst, e.Value...)
		}
	}
	return dst
}

package ratelimit

import (
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
	size     atomic.Int64
	max      int64
	swept    atomic.Int64 // second of the last search for idle names
}

// dynamicName is either the statistics of a path or the misses of a domain.
type dynamicName struct {
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
	}
}

// bind gives every rule its statistics before the rules are put in force.
func (n *ruleNames) bind(r *Rules) {
	for rule := range r.All() {
		rule.stats = n.path(rule.Path)
	}
}

func (n *ruleNames) path(path string) *ruleStats {
	s, _ := n.fixed.LoadOrCompute(path, func() (*ruleStats, bool) { return newRuleStats(n.registry, path), false })
	return s
}

// of finds the statistics for a rule that matched, or for an override (rule nil).
func (n *ruleNames) of(r *Rule, domain string, entries []Entry, now int64) *ruleStats {
	if r != nil && !r.ownNames {
		return r.stats
	}
	var buf [256]byte
	path := appendPath(buf[:0], r, domain, entries)
	if name := n.find(path, now, newRulePath); name != nil {
		return name.rule
	}
	if r != nil {
		return r.stats
	}
	return n.path(domain + ".override")
}

// domainNotFound is the counter of requests for a domain without rules.
func (n *ruleNames) domainNotFound(domain string, now int64) *stats.Counter {
	var buf [256]byte
	path := append(append(buf[:0], domain...), ".domain_not_found"...)
	if name := n.find(path, now, newMissingDomain); name != nil {
		return name.misses
	}
	return n.registry.Counter(rulePrefix + "other.domain_not_found")
}

func newRulePath(r *stats.Registry, path string) *dynamicName {
	return &dynamicName{rule: newRuleStats(r, path)}
}

func newMissingDomain(r *stats.Registry, path string) *dynamicName {
	return &dynamicName{misses: r.Counter(rulePrefix + path)}
}

// find looks a dynamic name up, or makes it; nil when there is no room.
func (n *ruleNames) find(path []byte, now int64, make func(*stats.Registry, string) *dynamicName) *dynamicName {
	name, ok := n.dynamic.Load(unsafe.String(unsafe.SliceData(path), len(path)))
	if !ok {
		if n.size.Load() >= n.max && !n.sweep(now) {
			return nil
		}
		key := string(path)
		name, _ = n.dynamic.LoadOrCompute(key, func() (*dynamicName, bool) {
			if n.size.Add(1) > n.max {
				n.size.Add(-1)
				return nil, true
			}
			return make(n.registry, key), false
		})
		if name == nil {
			return nil
		}
	}
	if name.used.Load() != now {
		name.used.Store(now)
	}
	return name
}

// sweep makes room by giving up idle names, at most once a second: it walks all
// of them. It tells whether there is room now.
func (n *ruleNames) sweep(now int64) bool {
	last := n.swept.Load()
	if last == now || !n.swept.CompareAndSwap(last, now) {
		return false
	}
	n.dynamic.DeleteMatching(func(path string, name *dynamicName) (del, stop bool) {
		if now-name.used.Load() < idleSeconds {
			return false, false
		}
		n.size.Add(-1)
		n.forget(path, name)
		return true, false
	})
	return n.size.Load() < n.max
}

func (n *ruleNames) forget(path string, name *dynamicName) {
	if name.misses != nil {
		n.registry.Forget(name.misses)
		return
	}
	if _, shared := n.fixed.Load(path); !shared { // an override may spell the name of a rule
		n.registry.Forget(name.rule.counters()...)
	}
}

// appendPath writes the statistics name of what a descriptor matched: every entry
// with its value for an override or a detailed rule, else each level by its own flag.
func appendPath(dst []byte, r *Rule, domain string, entries []Entry) []byte {
	dst = append(dst, domain...)
	for i, e := range entries {
		dst = append(dst, '.')
		if r != nil {
			level := r.levels[i]
			switch {
			case level.share:
				e.Value = level.shared()
			case r.DetailedMetric:
			case level.valueToMetric && (level.value.text == "" || level.wildcard()):
			default:
				dst = append(dst, level.name...)
				continue
			}
		}
		dst = append(dst, e.Key...)
		if e.Value != "" {
			dst = append(dst, '_')
			dst = append(dst, e.Value...)
		}
	}
	return dst
}

package ratelimit

// RuleCounts is what came of the calls that a rule limited, since the process began.
type RuleCounts struct {
	Hits   uint64
	Near   uint64 // of them near the limit
	Over   uint64 // of them over it
	Shadow uint64 // of those over it let through, by shadow mode
}

// Counts is the counts by the path of rules. What callers limited themselves is under
// OverridePath of its domain. Names of callers' values that were given up for want of
// room are no more counted, so that figures of rules with such names can fall.
func (l *Limiter) Counts() map[string]RuleCounts {
	counts := make(map[string]RuleCounts)
	add := func(path string, s *ruleStats) {
		c := counts[path]
		counts[path] = RuleCounts{c.Hits + s.total.Total(), c.Near + s.near.Total(), c.Over + s.over.Total(), c.Shadow + s.shadow.Total()}
	}
	for path, s := range l.names.fixed.All() {
		add(path, s)
	}
	for _, name := range l.names.dynamic.All() {
		if name.rule != nil {
			add(name.of, name.rule)
		}
	}
	return counts
}

// OverridePath is where the hits of a domain are counted that came with a limit of
// their own.
func OverridePath(domain string) string { return domain + ".override" }

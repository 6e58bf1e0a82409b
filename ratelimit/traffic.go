package ratelimit

import (
	"cmp"
	"maps"
	"slices"
	"sync"
)

// Traffic is what is being limited right now, for somebody who watches. Nothing
// is kept while nobody does.
//
// Between two Takes only the first keys that come by get a place, which bounds
// memory and work when every call brings a new key. A key that is busy enough to
// be worth showing is among the first.
type Traffic struct {
	mu    sync.Mutex
	rules map[string]*Flow
	keys  map[string]*Flow
}

// Flow is the hits of a rule or of a counter key since the last Take.
type Flow struct {
	Name    string `json:"name"`          // the rule's path or the key
	Rule    string `json:"rule,omitzero"` // of a key: the path of its rule
	Limit   string `json:"limit"`
	Hits    uint64 `json:"hits"`
	Refused uint64 `json:"refused"` // over the limit, also in shadow mode
}

// overrideRule stands for the rule where the caller brought a limit of its own.
const overrideRule = "(override)"

const trafficPlaces = 4096

// Watch begins to keep Traffic; Unwatch ends it. One watches at a time.
func (l *Limiter) Watch() *Traffic {
	t := new(Traffic)
	t.Take(0)
	l.traffic.Store(t)
	return t
}

// Unwatch stops keeping Traffic.
func (l *Limiter) Unwatch() { l.traffic.Store(nil) }

// Take returns the rules that had hits since the last Take and the busiest keys,
// both busiest first.
func (t *Traffic) Take(mostKeys int) (rules, keys []Flow) {
	t.mu.Lock()
	takenRules, takenKeys := t.rules, t.keys
	t.rules, t.keys = make(map[string]*Flow, len(takenRules)), make(map[string]*Flow, len(takenKeys))
	t.mu.Unlock()
	rules, keys = busiest(takenRules), busiest(takenKeys)
	return rules, keys[:min(mostKeys, len(keys))]
}

func busiest(flows map[string]*Flow) []Flow {
	all := make([]Flow, 0, len(flows))
	for f := range maps.Values(flows) {
		all = append(all, *f)
	}
	slices.SortFunc(all, func(a, b Flow) int {
		return cmp.Or(cmp.Compare(b.Hits, a.Hits), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// note counts a check. A nil Traffic keeps nothing.
func (t *Traffic) note(ch *check, refused bool) {
	if t == nil {
		return
	}
	rule := overrideRule
	if ch.rule != nil {
		rule = ch.rule.Path
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.rules[rule]
	if r == nil {
		r = &Flow{Name: rule, Limit: ch.limit.String()}
		t.rules[rule] = r
	}
	r.add(ch, refused)
	k := t.keys[string(ch.hit.Key)]
	if k == nil {
		if len(t.keys) >= trafficPlaces {
			return
		}
		k = &Flow{Name: string(ch.hit.Key), Rule: rule, Limit: ch.limit.String()}
		t.keys[k.Name] = k
	}
	k.add(ch, refused)
}

func (f *Flow) add(ch *check, refused bool) {
	f.Hits += uint64(ch.hits)
	if refused {
		f.Refused += uint64(ch.hits)
	}
}

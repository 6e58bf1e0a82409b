package ratelimit

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// Change is a rule that differs between two sets.
type Change struct {
	Path     string
	Was, Now *Rule // nil: there is none
}

// Changes is what becomes of the rules when the next set takes the place of this one,
// by path. Neither may be nil.
func (r *Rules) Changes(next *Rules) []Change {
	was, now := r.byPath(), next.byPath()
	var changes []Change
	for path, rule := range was {
		if other := now[path]; other == nil || !rule.same(other) {
			changes = append(changes, Change{path, rule, other})
		}
	}
	for path, rule := range now {
		if was[path] == nil {
			changes = append(changes, Change{path, nil, rule})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Path, b.Path) })
	return changes
}

func (r *Rules) byPath() map[string]*Rule {
	rules := make(map[string]*Rule)
	for rule := range r.All() {
		rules[rule.Path] = rule
	}
	return rules
}

// same tells whether two rules of one path limit alike, wherever they are written.
func (r *Rule) same(other *Rule) bool {
	return r.Terms() == other.Terms() && reflect.DeepEqual(r.Metadata, other.Metadata)
}

// Terms is what the rule says, how people say it: "100 per minute, shadow mode".
func (r *Rule) Terms() string {
	terms := []string{r.Limit.String()}
	if r.Unlimited {
		terms[0] = "unlimited"
	}
	for _, t := range []struct {
		is   bool
		text string
	}{
		{r.Shadow, "shadow mode"},
		{r.Quota, "quota mode"},
		{r.Name != "", "named " + r.Name},
		{len(r.Replaces) > 0, "replaces " + strings.Join(r.Replaces, " ")},
		{r.shares, "shared by what the * stands for"},
		{r.DetailedMetric, "statistics by value"},
		{r.ownNames && !r.DetailedMetric, "statistics by some values"},
	} {
		if t.is {
			terms = append(terms, t.text)
		}
	}
	return strings.Join(terms, ", ")
}

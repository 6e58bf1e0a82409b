package ratelimit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// DomainSpec is the rules of a domain as somebody wrote them, in one file or one
// xDS resource. NewRules checks and compiles them.
type DomainSpec struct {
	At          Position
	Domain      string
	Descriptors []DescriptorSpec
}

// DescriptorSpec is one node of the rules as written.
type DescriptorSpec struct {
	At             Position
	Key            string
	Value          string // empty: not given
	Limit          *LimitSpec
	Shadow         bool
	Quota          bool
	DetailedMetric bool
	ValueToMetric  bool
	ShareThreshold bool
	Metadata       map[string]any
	Descriptors    []DescriptorSpec
}

// LimitSpec is the limit of a node as written.
type LimitSpec struct {
	At         Position
	Unit       string
	Requests   uint32
	Multiplier *uint32 // nil: not given
	Unlimited  bool
	Name       string
	Replaces   []string
}

// Position is where something was written: in a file, or in an xDS resource.
type Position struct {
	File         string
	Line, Column int
	Resource     string
}

func (p Position) String() string {
	if p.Resource != "" {
		return p.Resource
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Fault is one thing wrong with a set of rules.
type Fault struct {
	At      Position
	Message string
}

func (f Fault) Error() string { return f.At.String() + ": " + f.Message }

// Faults is everything found wrong with a set of rules, in the order of the text.
type Faults []Fault

func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i, fault := range f {
		lines[i] = fault.Error()
	}
	return strings.Join(lines, "\n")
}

func (f *Faults) add(at Position, format string, args ...any) {
	*f = append(*f, Fault{at, fmt.Sprintf(format, args...)})
}

// sort puts faults in the order of the text and tells each once: an anchor's
// fault comes up again at every alias.
func (f Faults) sort() Faults {
	slices.SortStableFunc(f, func(a, b Fault) int {
		return cmp.Or(
			cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Resource, b.At.Resource),
			cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column),
		)
	})
	told := make(map[Fault]bool, len(f))
	return slices.DeleteFunc(f, func(fault Fault) bool {
		before := told[fault]
		told[fault] = true
		return before
	})
}

// err is nil when nothing was found.
func (f Faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

package ratelimit

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteText writes the explanation for people, one block a descriptor.
func (e *Explanation) WriteText(w io.Writer) error {
	for i := range e.Descriptors {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := e.Descriptors[i].writeText(w, e.Domain); err != nil {
			return err
		}
	}
	if e.GlobalShadow {
		fmt.Fprintln(w, "\nglobal shadow mode is on: every request passes")
	}
	return nil
}

func (why *Reasoning) writeText(w io.Writer, domain string) error {
	var entries []string
	for _, e := range why.Entries {
		entries = append(entries, entryText(Entry(e)))
	}
	fmt.Fprintf(w, "%s  %s   %s\n", domain, strings.Join(entries, " "), cmp.Or(why.Code, why.Result))
	table := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for i, level := range why.Levels {
		level.writeText(table, entries[i])
	}
	switch {
	case why.Rule != nil && why.Result == resultUnlimited:
		fmt.Fprintf(table, "  rule\t%s: unlimited\n", why.Rule.Path)
	case why.Rule != nil:
		fmt.Fprintf(table, "  rule\t%s: %v\n", why.Rule.Path, why.Rule.limit())
	case why.Override != nil:
		fmt.Fprintf(table, "  override\t%v\n", why.Override.limit())
	}
	if why.Key != "" {
		fmt.Fprintf(table, "  key\t%s\n", why.Key)
	}
	if why.Count != nil {
		fmt.Fprintf(table, "  count\t%s\n", why.countText())
	}
	if why.saysMore() {
		fmt.Fprintf(table, "  why\t%s\n", why.Reason)
	}
	return table.Flush()
}

// writeText is one row: the entry, the node that took it, and the misses before it.
func (level ExplainedLevel) writeText(table io.Writer, entry string) {
	var misses []string
	took := "-\t-\t-"
	for _, t := range level.Tried {
		if !t.Matched {
			misses = append(misses, t.Node+": "+t.Reason)
			continue
		}
		where := t.Resource
		if t.File != "" {
			where = fmt.Sprintf("%s:%d", t.File, t.Line)
		}
		took = t.Node + "\t" + t.Kind + "\t" + where
	}
	row := "  " + entry + "\t" + took
	if len(misses) > 0 {
		row += "\t(" + strings.Join(misses, "; ") + ")"
	}
	fmt.Fprintln(table, row)
}

// countText takes the count after the call from the reason: not every call adds
// its hits, and one may take them back.
func (why *Reasoning) countText() string {
	after := *why.Count + uint64(*why.Hits)
	fmt.Sscanf(why.Reason, reasonCount, &after)
	return fmt.Sprintf("%d, this call would be %d; resets in %s (%s)",
		*why.Count, after, why.Reset, why.ResetsAt.Format(time.RFC3339))
}

// saysMore tells whether the reason adds to the rows before it.
func (why *Reasoning) saysMore() bool {
	return why.Count == nil || strings.ContainsAny(why.Reason, ",;")
}

func (l ExplainedLimit) limit() Limit {
	unit, _ := ParseUnit(l.Unit)
	return Limit{Requests: l.Requests, Unit: unit, Multiplier: l.Multiplier}
}

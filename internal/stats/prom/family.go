package prom

import "strings"

// kind is what the metrics of a family are.
type kind string

const (
	counterKind   kind = "counter"
	gaugeKind     kind = "gauge"
	histogramKind kind = "histogram"
	summaryKind   kind = "summary"
	reservedKind  kind = "reserved"
)

// family is what metrics of one name have to agree on, or a scrape loses them.
type family struct {
	kind   kind
	help   string
	series int
}

// families are the metric names in use.
type families map[string]*family

// join adds a series to the family of that name. It returns nil where the name
// belongs to metrics of another kind.
func (f families) join(name string, k kind, help string) *family {
	member := f[name]
	if member == nil {
		if f.clashes(name, k) {
			return nil
		}
		member = &family{kind: k, help: help}
		f[name] = member
	}
	if member.kind != k {
		return nil
	}
	member.series++
	return member
}

// leave takes a series out; the last one gives up the name.
func (f families) leave(name string) {
	member := f[name]
	member.series--
	if member.series == 0 {
		delete(f, name)
	}
}

// reserve keeps a name from being used.
func (f families) reserve(name string) {
	f[name] = &family{kind: reservedKind, series: 1}
}

// clashes reports whether a new family would write lines that are another's:
// histograms and summaries write under names with these endings.
func (f families) clashes(name string, k kind) bool {
	for _, ending := range []string{"_count", "_sum", "_bucket"} {
		if k == histogramKind || k == summaryKind {
			if f[name+ending] != nil {
				return true
			}
		}
		if base, cut := strings.CutSuffix(name, ending); cut {
			if o := f[base]; o != nil && (o.kind == histogramKind || o.kind == summaryKind) {
				return true
			}
		}
	}
	return false
}

package stats

import (
	"cmp"
	"slices"
	"strings"
)

// Tag is one property of a statistic beside its name.
type Tag struct{ Key, Value string }

// ID is what a statistic is called. The name is clean, the tags are sorted by
// key and have neither empty keys nor empty values; no part has line breaks,
// which a caller's value could otherwise use to forge a second statistic.
type ID struct {
	Name string
	Tags []Tag
}

func newID(name string, tags []Tag) ID {
	return ID{Name: lineBreak.Replace(Clean(name)), Tags: sortedTags(tags)}
}

// With returns id with extra tags. A tag id already has wins over an extra one.
func (id ID) With(extra ...Tag) ID {
	if len(extra) == 0 {
		return id
	}
	return ID{Name: id.Name, Tags: sortedTags(slices.Concat(extra, id.Tags))}
}

// Plain is the name for outputs that know no tags: each tag becomes a suffix
// ".__key=value".
func (id ID) Plain() string {
	if len(id.Tags) == 0 {
		return id.Name
	}
	var b strings.Builder
	b.WriteString(id.Name)
	for _, t := range id.Tags {
		b.WriteString(".__")
		b.WriteString(delimiter.Replace(t.Key))
		b.WriteByte('=')
		b.WriteString(plainValue.Replace(t.Value))
	}
	return b.String()
}

// A dot inside a value would end the suffix.
var plainValue = strings.NewReplacer(":", "_", "|", "_", ".", "_")

// key tells IDs apart, unlike Plain also where values differ in a dot only.
func (id ID) key() string {
	if len(id.Tags) == 0 {
		return id.Name
	}
	var b strings.Builder
	b.WriteString(id.Name)
	for _, t := range id.Tags {
		b.WriteByte('\n')
		b.WriteString(t.Key)
		b.WriteByte('\n')
		b.WriteString(t.Value)
	}
	return b.String()
}

// sortedTags copies tags in key order. Of equal keys the last one stays.
func sortedTags(tags []Tag) []Tag {
	if len(tags) == 0 {
		return nil
	}
	sorted := make([]Tag, 0, len(tags))
	for _, t := range tags {
		if t.Key != "" && t.Value != "" {
			sorted = append(sorted, Tag{lineBreak.Replace(t.Key), lineBreak.Replace(t.Value)})
		}
	}
	slices.Reverse(sorted)
	slices.SortStableFunc(sorted, func(a, b Tag) int { return cmp.Compare(a.Key, b.Key) })
	return slices.CompactFunc(sorted, func(a, b Tag) bool { return a.Key == b.Key })
}

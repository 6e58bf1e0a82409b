package prom

import (
	"cmp"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"stoa/internal/stats"
)

// labelled adds labels to metrics made elsewhere. Unlike
// prometheus.WrapRegistererWith it leaves a label alone that a metric already
// has: a tag "version" must not break go_info.
type labelled struct {
	prometheus.Gatherer
	tags stats.Tags
}

func (l labelled) Gather() ([]*dto.MetricFamily, error) {
	families, err := l.Gatherer.Gather()
	for _, family := range families {
		for _, m := range family.Metric {
			m.Label = l.withTags(m.Label)
		}
	}
	return families, err
}

func (l labelled) withTags(own []*dto.LabelPair) []*dto.LabelPair {
	pairs := slices.Clone(own) // the original belongs to the metric
	for _, t := range l.tags {
		name := labelName(t.Key)
		if !slices.ContainsFunc(pairs, func(p *dto.LabelPair) bool { return p.GetName() == name }) {
			pairs = append(pairs, &dto.LabelPair{Name: new(name), Value: new(labelValue(t.Value))})
		}
	}
	slices.SortFunc(pairs, func(a, b *dto.LabelPair) int { return cmp.Compare(a.GetName(), b.GetName()) })
	return pairs
}

package prom

import (
	_ "embed"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/prometheus/statsd_exporter/pkg/mapper"

	"stoa/internal/stats"
)

//go:embed default_mapping.yaml
var defaultMapping string

// undescribed is the help of a metric for which the mapping has none.
const undescribed = "A statistic under its own name."

// mapping leads from statistics to metrics.
type mapping struct {
	rules *mapper.MetricMapper
	// native has histograms in the sparse form as well, for servers that ask
	// for it. Files get it, as they do from statsd_exporter.
	native bool
}

func loadMapping(file string) (*mapping, error) {
	if file == "" {
		m, err := parseMapping(defaultMapping)
		if err != nil {
			return nil, fmt.Errorf("default mapping: %w", err)
		}
		return m, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("PROMETHEUS_MAPPER_YAML: %w", err)
	}
	current, err := withoutLegacy(text)
	if err != nil {
		return nil, fmt.Errorf("PROMETHEUS_MAPPER_YAML: %s: %w", file, err)
	}
	m, err := parseMapping(string(current))
	if err != nil {
		return nil, fmt.Errorf("PROMETHEUS_MAPPER_YAML: %s: %w", file, err)
	}
	m.native = true
	return m, nil
}

func parseMapping(text string) (*mapping, error) {
	m := &mapping{rules: new(mapper.MetricMapper)}
	if err := m.rules.InitFromYAMLString(text); err != nil {
		return nil, err
	}
	for i := range m.rules.Mappings {
		rule := &m.rules.Mappings[i]
		if err := m.try(target{name: "trial", rule: rule}); err != nil {
			return nil, fmt.Errorf("mapping of %q: %w", rule.Match, err)
		}
	}
	if err := m.try(target{name: "trial"}); err != nil {
		return nil, fmt.Errorf("defaults: %w", err)
	}
	return m, nil
}

// try makes an observer for a target, so that options with which the client
// library would panic later are found at once.
func (m *mapping) try(t target) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	m.newObserver(t)
	return nil
}

// target is where a statistic goes.
type target struct {
	name   string
	help   string
	labels []stats.Tag // sorted by key
	scale  float64
	rule   *mapper.MetricMapping // nil where none fits
}

// key tells series apart.
func (t target) key() string {
	var b strings.Builder
	b.WriteString(t.name)
	for _, l := range t.labels {
		b.WriteByte('\xff') // not in UTF-8, so not in any part
		b.WriteString(l.Key)
		b.WriteByte('\xff')
		b.WriteString(l.Value)
	}
	return b.String()
}

func (t target) labelMap() map[string]string {
	labels := make(map[string]string, len(t.labels))
	for _, l := range t.labels {
		labels[l.Key] = l.Value
	}
	return labels
}

// target maps a statistic; false means that it is to be dropped. The labels of
// the mapping win over the statistic's tags, unless it honors those, and both
// win over extra tags. Empty labels are left out, since for Prometheus an
// empty label and none are the same series.
func (m *mapping) target(id stats.ID, kind mapper.MetricType, extra stats.Tags) (target, bool) {
	rule, labels, found := m.rules.GetMapping(id.Name, kind)
	t := target{name: metricName(id.Name), help: undescribed, scale: 1}
	merged := map[string]string{}
	for _, tag := range extra {
		merged[labelName(tag.Key)] = tag.Value
	}
	own := map[string]string{}
	for _, tag := range id.Tags {
		own[labelName(tag.Key)] = tag.Value
	}
	if found {
		if rule.Action == mapper.ActionTypeDrop {
			return target{}, false
		}
		t.rule = rule
		t.name = metricName(rule.Name)
		if rule.HelpText != "" {
			t.help = rule.HelpText
		}
		if rule.Scale.Set {
			t.scale = rule.Scale.Val
		}
		for key, value := range labels {
			key = labelName(key)
			if _, tagged := own[key]; !tagged || !rule.HonorLabels {
				own[key] = value
			}
		}
	}
	maps.Copy(merged, own)
	for _, key := range slices.Sorted(maps.Keys(merged)) {
		if value := labelValue(merged[key]); value != "" {
			t.labels = append(t.labels, stats.Tag{Key: key, Value: value})
		}
	}
	return t, t.name != ""
}

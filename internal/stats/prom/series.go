package prom

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/statsd_exporter/pkg/mapper"

	"stoa/internal/stats"
)

// series is one line of a scrape, the sum of its parts.
type series struct {
	name      string // of the metric
	key       string
	desc      *prometheus.Desc
	valueType prometheus.ValueType
	parts     int
	value     float64 // as of this scrape
	// kept is what forgotten counters had counted. Without it a sum would fall
	// when one of its parts goes, and Prometheus would take that for a restart
	// and the remaining sum for news.
	kept float64
}

// part is a counter's or gauge's place in a series, found once and kept.
type part struct {
	series *series // nil: dropped by the mapping, or in conflict
	scale  float64
	round  uint64 // scrape at which its counter was last there
}

func (c *collector) newPart(id stats.ID, metricType mapper.MetricType, k kind) *part {
	t, ok := c.mapping.target(id, metricType, c.tags)
	if !ok {
		return &part{}
	}
	key := t.key()
	s := c.series[key]
	if s == nil {
		family := c.families.join(t.name, k, t.help)
		if family == nil {
			c.logConflict(id, t.name)
			return &part{}
		}
		s = &series{
			name:      t.name,
			key:       key,
			desc:      prometheus.NewDesc(t.name, family.help, nil, t.labelMap()),
			valueType: prometheus.CounterValue,
		}
		if k == gaugeKind {
			s.valueType = prometheus.GaugeValue
		}
		c.series[key] = s
	} else if c.families[t.name].kind != k {
		c.logConflict(id, t.name)
		return &part{}
	}
	s.parts++
	return &part{series: s, scale: t.scale}
}

func (c *collector) dropForgotten() {
	for counter, p := range c.counters {
		if p.round == c.round {
			continue
		}
		delete(c.counters, counter)
		s := p.series
		if s == nil {
			continue
		}
		total := float64(counter.Total()) * p.scale
		s.kept += total
		s.value += total
		s.parts--
		if s.parts == 0 {
			delete(c.series, s.key)
			c.families.leave(s.name)
		}
	}
}

package prom

import (
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/statsd_exporter/pkg/mapper"

	"stoa/internal/stats"
)

// collector reads a registry at each scrape. It describes nothing beforehand,
// because names come and go; Prometheus then allows metrics of one name to
// have different labels, which rules of different depth need.
type collector struct {
	registry *stats.Registry
	mapping  *mapping
	tags     stats.Tags
	unit     time.Duration
	log      *slog.Logger

	mu        sync.Mutex
	families  families
	series    map[string]*series
	counters  map[*stats.Counter]*part
	gauges    map[*stats.Gauge]*part
	observers map[string]observer
	round     uint64
}

func newCollector(o Options, m *mapping, log *slog.Logger) *collector {
	unit := time.Second
	if o.Milliseconds {
		unit = time.Millisecond
	}
	return &collector{
		registry:  o.Registry,
		mapping:   m,
		tags:      o.Tags,
		unit:      unit,
		log:       log,
		families:  families{},
		series:    map[string]*series{},
		counters:  map[*stats.Counter]*part{},
		gauges:    map[*stats.Gauge]*part{},
		observers: map[string]observer{},
	}
}

// Describe is part of prometheus.Collector.
func (c *collector) Describe(chan<- *prometheus.Desc) {}

// Collect is part of prometheus.Collector.
func (c *collector) Collect(metrics chan<- prometheus.Metric) {
	// Before the lock: a new timer comes here with the registry locked.
	snapshot := c.registry.Snapshot()
	for _, m := range c.collect(snapshot) {
		metrics <- m
	}
}

func (c *collector) collect(snapshot stats.Snapshot) []prometheus.Metric {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.round++
	for _, s := range c.series {
		s.value = s.kept
	}
	for _, counter := range snapshot.Counters {
		p := c.counters[counter]
		if p == nil {
			p = c.newPart(counter.ID(), mapper.MetricTypeCounter, counterKind)
			c.counters[counter] = p
		}
		p.round = c.round
		if p.series != nil {
			p.series.value += float64(counter.Total()) * p.scale
		}
	}
	for _, gauge := range snapshot.Gauges {
		p := c.gauges[gauge]
		if p == nil {
			p = c.newPart(gauge.ID(), mapper.MetricTypeGauge, gaugeKind)
			c.gauges[gauge] = p
		}
		if p.series != nil {
			p.series.value = float64(gauge.Value()) * p.scale
		}
	}
	if len(c.counters) > len(snapshot.Counters) {
		c.dropForgotten()
	}
	return c.metrics()
}

func (c *collector) metrics() []prometheus.Metric {
	all := make([]prometheus.Metric, 0, len(c.series)+len(c.observers))
	for _, s := range c.series {
		m, err := prometheus.NewConstMetric(s.desc, s.valueType, s.value)
		if err != nil {
			m = prometheus.NewInvalidMetric(s.desc, err)
		}
		all = append(all, m)
	}
	for _, o := range c.observers {
		all = append(all, o)
	}
	return all
}

func (c *collector) logConflict(id stats.ID, metric string) {
	c.log.Warn("statistic left out: its metric name belongs to metrics of another type",
		"statistic", id.Plain(), "metric", metric)
}

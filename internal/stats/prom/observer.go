package prom

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/statsd_exporter/pkg/mapper"

	"stoa/internal/stats"
)

// observer is a histogram or a summary of one series.
type observer interface {
	prometheus.Metric
	Observe(float64)
}

// observe gives a timer the histogram or summary its durations go to. Timers
// that lead to the same series share one.
func (c *collector) observe(timer *stats.Timer) func(time.Duration) {
	t, ok := c.mapping.target(timer.ID(), mapper.MetricTypeObserver, c.tags)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	o := c.observers[t.key()]
	if o == nil {
		family := c.families.join(t.name, c.mapping.observerKind(t.rule), t.help)
		if family == nil {
			c.logConflict(timer.ID(), t.name)
			return nil
		}
		t.help = family.help
		o = c.mapping.newObserver(t)
		c.observers[t.key()] = o
	}
	unit, scale := float64(c.unit), t.scale
	return func(d time.Duration) { o.Observe(float64(d) / unit * scale) }
}

func (m *mapping) newObserver(t target) observer {
	if m.observerKind(t.rule) == histogramKind {
		return prometheus.NewHistogram(m.histogramOpts(t))
	}
	return prometheus.NewSummary(m.summaryOpts(t))
}

func (m *mapping) observerKind(rule *mapper.MetricMapping) kind {
	chosen := m.rules.Defaults.ObserverType
	if rule != nil && rule.ObserverType != mapper.ObserverTypeDefault {
		chosen = rule.ObserverType
	}
	if chosen == mapper.ObserverTypeHistogram {
		return histogramKind
	}
	return summaryKind
}

func (m *mapping) histogramOpts(t target) prometheus.HistogramOpts {
	options := m.rules.Defaults.HistogramOptions
	if t.rule != nil && t.rule.HistogramOptions != nil {
		own := t.rule.HistogramOptions
		if len(own.Buckets) > 0 {
			options.Buckets = own.Buckets
		}
		if own.NativeHistogramBucketFactor > 0 {
			options.NativeHistogramBucketFactor = own.NativeHistogramBucketFactor
		}
		if own.NativeHistogramMaxBuckets > 0 {
			options.NativeHistogramMaxBuckets = own.NativeHistogramMaxBuckets
		}
	}
	opts := prometheus.HistogramOpts{
		Name:        t.name,
		Help:        t.help,
		ConstLabels: t.labelMap(),
		Buckets:     options.Buckets,
	}
	if m.native {
		opts.NativeHistogramBucketFactor = options.NativeHistogramBucketFactor
		opts.NativeHistogramMaxBucketNumber = options.NativeHistogramMaxBuckets
	}
	return opts
}

func (m *mapping) summaryOpts(t target) prometheus.SummaryOpts {
	options := m.rules.Defaults.SummaryOptions
	if t.rule != nil && t.rule.SummaryOptions != nil {
		options = *t.rule.SummaryOptions
	}
	objectives := make(map[float64]float64, len(options.Quantiles))
	for _, q := range options.Quantiles {
		objectives[q.Quantile] = q.Error
	}
	return prometheus.SummaryOpts{
		Name:        t.name,
		Help:        t.help,
		ConstLabels: t.labelMap(),
		Objectives:  objectives,
		MaxAge:      options.MaxAge,
		AgeBuckets:  options.AgeBuckets,
		BufCap:      options.BufCap,
	}
}

// Package prom shows statistics to a Prometheus server.
//
// Totals are read at the moment of the scrape, and a counter shows from its
// creation. Durations go into histograms or summaries as they are observed,
// with full precision.
//
// Names are dotted paths, metrics have labels; statsd_exporter's mapping rules
// lead from the one to the other, ours by default or the operator's. Several
// statistics may meet in one series: counters add up, and of gauges the last
// one shows. Statistics that meet under one metric name with different labels
// stay apart. A counter, a gauge and a timer cannot share a metric name: the
// first to arrive has it, the others are left out and the log says so.
package prom

import (
	"fmt"
	"log/slog"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"stoa/internal/stats"
)

// Options are what an Exporter needs.
type Options struct {
	Registry *stats.Registry
	// MapperFile is a statsd_exporter mapping file that takes the place of the
	// default mapping. Empty: the default mapping.
	MapperFile string
	// Milliseconds has durations in milliseconds instead of seconds, under
	// the same metric names.
	Milliseconds bool
	Tags         stats.Tags   // labels of every metric
	Log          *slog.Logger // nil: silence
}

// Exporter answers scrapes.
type Exporter struct {
	gatherers prometheus.Gatherers
	log       *slog.Logger
}

// New returns an exporter that takes durations from now on. It fails when the
// mapping file cannot be used.
func New(o Options) (*Exporter, error) {
	log := o.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	mapping, err := loadMapping(o.MapperFile)
	if err != nil {
		return nil, err
	}

	process := prometheus.NewRegistry()
	process.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	taken, err := process.Gather()
	if err != nil {
		return nil, fmt.Errorf("gather process metrics: %w", err)
	}

	c := newCollector(o, mapping, log)
	for _, family := range taken {
		c.families.reserve(family.GetName())
	}
	own := prometheus.NewRegistry()
	if err := own.Register(c); err != nil {
		return nil, err
	}
	o.Registry.WatchTimers(c.observe)
	return &Exporter{
		gatherers: prometheus.Gatherers{own, labelled{process, o.Tags}},
		log:       log,
	}, nil
}

// Gather makes an Exporter a prometheus.Gatherer.
func (e *Exporter) Gather() ([]*dto.MetricFamily, error) { return e.gatherers.Gather() }

// Handler answers scrapes over HTTP. It offers no OpenMetrics, which would
// rename every counter to end in _total.
func (e *Exporter) Handler() http.Handler {
	return promhttp.HandlerFor(e, promhttp.HandlerOpts{
		ErrorHandling: promhttp.ContinueOnError,
		ErrorLog:      slog.NewLogLogger(e.log.Handler(), slog.LevelWarn),
	})
}

package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"stoa/internal/stats"
	"stoa/internal/stats/dogstatsd"
	"stoa/internal/stats/jsonlines"
	"stoa/internal/stats/prom"
	"stoa/internal/stats/statsd"
	"stoa/internal/tracing"
)

// traceFlush is how long the end waits for spans to be sent.
const traceFlush = 5 * time.Second

// goStats is where the figures of the Go runtime are.
const goStats = "ratelimit.go"

func (a *App) openTelemetry() error {
	c := a.cfg.Stats
	stats.RegisterGo(a.stats, goStats)
	metrics, err := prom.New(prom.Options{
		Registry: a.stats, MapperFile: c.PrometheusMapper, Milliseconds: c.PrometheusMilliseconds,
		Tags: c.ExtraTags, Log: a.log,
	})
	if err != nil {
		return err
	}
	a.metrics = metrics
	a.debug = debugPort{metrics: metrics.Handler(), shown: a.shownStats(), health: a.Health}
	a.openSink()
	a.cfg.Tracing.Log = a.log
	a.tracing, err = tracing.Start(context.Background(), a.cfg.Tracing)
	if err != nil {
		return err
	}
	a.closes = append(a.closes, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), traceFlush)
		defer cancel()
		return a.tracing.Shutdown(ctx)
	})
	return nil
}

// shownStats is what /stats shows: with statistics off, the process alone.
func (a *App) shownStats() *stats.Registry {
	if !a.cfg.Stats.Disable {
		return a.stats
	}
	process := stats.NewRegistry()
	stats.RegisterGo(process, goStats)
	return process
}

// openSink sends statistics to the one place that is configured.
func (a *App) openSink() {
	c := a.cfg.Stats
	sink := c.Sink()
	a.log.Info("statistics", "sink", string(sink))
	switch sink {
	case stats.SinkStatsD:
		a.backs = append(a.backs, statsd.New(statsd.Options{
			Registry: a.stats, Network: c.StatsDProtocol, Address: c.StatsDAddress(),
			Interval: c.FlushInterval, Tags: c.ExtraTags, Log: a.log,
		}).Run)
	case stats.SinkDogStatsD:
		a.backs = append(a.backs, dogstatsd.New(dogstatsd.Options{
			Registry: a.stats, Address: c.StatsDAddress(), Mogrifiers: a.cfg.Mogrifiers,
			Interval: c.FlushInterval, Tags: c.ExtraTags, Log: a.log,
		}).Run)
	case stats.SinkJSONLines:
		a.backs = append(a.backs, jsonlines.New(jsonlines.Options{
			Registry: a.stats, Out: a.cfg.Options.Stdout, Interval: c.FlushInterval, Tags: c.ExtraTags,
		}).Run)
	case stats.SinkPrometheus:
		a.backs = append(a.backs, a.servePrometheus)
	}
}

// servePrometheus is the scrape port of its own.
func (a *App) servePrometheus(ctx context.Context) error {
	listener, err := listenTCP(ctx, a.cfg.Stats.PrometheusAddr)
	if err != nil {
		return fmt.Errorf("PROMETHEUS_ADDR: %w", err)
	}
	a.cfg.Options.Opened("prometheus", listener.Addr().String())
	mux := http.NewServeMux()
	mux.Handle(a.cfg.Stats.PrometheusPath, a.metrics.Handler())
	server := newHTTPServer(mux, a.log)
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("prometheus port: %w", err)
	}
	return nil
}

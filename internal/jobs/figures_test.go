package jobs_test

import (
	"context"
	"testing"
	"time"

	"go.opentelemetry.io/otel/codes"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"stoa/internal/db"
	"stoa/internal/jobs"
	"stoa/internal/stats"
)

func TestJobsAreCounted(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		registry := stats.NewRegistry()
		q := jobs.New(d, jobs.Options{Stats: registry, Environment: "production", Workers: map[string]int{"slow": 1}})
		entered, leave := make(chan struct{}, 9), make(chan error, 9)
		jobs.Handle(q, func(context.Context, note) error { entered <- struct{}{}; return <-leave },
			jobs.How[note]{Lane: "slow", Attempts: 1})
		add(t, d, q, note{"a"}, jobs.At(time.Now().Add(-time.Hour)))
		add(t, d, q, note{"b"}, jobs.At(time.Now().Add(-time.Minute)))
		add(t, d, q, note{"much later"}, jobs.After(time.Hour))
		tags := []stats.Tag{{Key: "environment", Value: "production"}, {Key: "kind", Value: note{}.Kind()}, {Key: "lane", Value: "slow"}}
		total := func(name string) uint64 { return registry.Counter("stoa.jobs."+name, tags...).Total() }
		level := func(name string) int64 { return registry.Gauge("stoa.jobs."+name, tags...).Value() }
		run(t, q)
		receive(t, entered, "the first job")
		until(t, "what waits is counted", func() bool { return level("waiting") > 0 })
		if got := level("running"); got != 1 {
			t.Errorf("got %d running, want 1", got)
		}
		if waiting, oldest := level("waiting"), level("oldest_waiting_seconds"); waiting > 2 || oldest < 60 {
			t.Errorf("got %d waiting, the oldest for %d s, want those that are due, for a minute or more", waiting, oldest)
		}
		leave <- nil
		leave <- errBroken
		until(t, "both are counted", func() bool {
			return total("done") == 1 && total("failed") == 1 && total("given_up") == 1 && level("running") == 0
		})
	})
}

func TestJobIsInTheTraceOfWhoHasAddedIt(t *testing.T) {
	each(t, func(t *testing.T, d *db.DB, _ string) {
		spans := tracetest.NewSpanRecorder()
		provider := sdk.NewTracerProvider(sdk.WithSpanProcessor(spans))
		q := jobs.New(d, jobs.Options{Tracer: provider})
		jobs.Handle(q, func(context.Context, note) error { return jobs.Abandon(errBroken) })
		ctx, request := provider.Tracer("test").Start(t.Context(), "request")
		if err := d.InTx(ctx, func(tx *db.Tx) error { return q.Add(ctx, tx, note{"a"}) }); err != nil {
			t.Fatal(err)
		}
		request.End()
		run(t, q)
		find := func() sdk.ReadOnlySpan {
			for _, s := range spans.Ended() {
				if s.Name() == "job "+(note{}).Kind() {
					return s
				}
			}
			return nil
		}
		until(t, "the span of the job", func() bool { return find() != nil })
		got := find()
		if got.Parent().SpanID() != request.SpanContext().SpanID() || got.SpanContext().TraceID() != request.SpanContext().TraceID() {
			t.Errorf("got parent %v, want %v", got.Parent(), request.SpanContext())
		}
		if got.Status().Code != codes.Error {
			t.Errorf("got status %v, want the error", got.Status())
		}
	})
}

package jobs

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// parent is the name of the trace that a job belongs to, as its row keeps it.
const parent = "traceparent"

// traceOf is the trace of who adds a job; "" while nobody looks at traces.
func (q *Queue) traceOf(ctx context.Context) string {
	if q.o.Tracer == nil {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[parent]
}

// span is one try of a job, in the trace of who has added it.
func (q *Queue) span(ctx context.Context, j *job) (context.Context, trace.Span) {
	if q.o.Tracer == nil {
		return ctx, noop.Span{}
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{parent: j.trace})
	return q.o.Tracer.Tracer("stoa/jobs").Start(ctx, "job "+j.kind, trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(
		attribute.String("job.kind", j.kind), attribute.String("job.lane", j.lane), attribute.Int64("job.id", j.id), attribute.Int("job.failures", j.failures)))
}

// endSpan says what became of a try. To be called again later is no failure.
func endSpan(span trace.Span, err error) {
	if _, snoozed := errors.AsType[snooze](err); err != nil && !snoozed {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}

package redis

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// traces tells whether the call is worth a span.
func (c *Counter) traces(ctx context.Context) bool {
	return c.tracer != nil && trace.SpanContextFromContext(ctx).IsSampled()
}

// span begins one; its end takes the number of commands sent to each redis.
func (c *Counter) span(ctx context.Context) (context.Context, func(n, perSecond int)) {
	ctx, span := c.tracer.Start(ctx, "Redis Pipeline Execution")
	return ctx, func(n, perSecond int) {
		span.SetAttributes(attribute.Int("pipeline length", n), attribute.Int("perSecondPipeline length", perSecond))
		span.End()
	}
}

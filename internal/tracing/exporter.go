package tracing

import (
	"context"
	"log/slog"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// loggedExporter keeps failures from OpenTelemetry's global handler, which
// writes past the process's log.
type loggedExporter struct {
	sdk.SpanExporter
	log *slog.Logger
}

// ExportSpans never fails: the processor above would only report it again.
func (e loggedExporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	if err := e.SpanExporter.ExportSpans(ctx, spans); err != nil {
		e.log.Warn("spans not exported", "spans", len(spans), "error", err)
	}
	return nil
}

package rls

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"stoa/internal/fault"
)

// Route is a path of a port.
type Route struct {
	Path, Help string
	Serve      http.HandlerFunc
}

// Routes is a port, in the order people read it.
type Routes []Route

// HTTPRoutes is the HTTP port.
func (s *Service) HTTPRoutes() Routes {
	return append(Routes{
		{"/json", "decision on a rate limit request in proto3 JSON: 200 or 429", s.handle(s.json)},
		{"/healthcheck", "200 when healthy, else 500", s.healthcheck},
	}, s.docRoutes()...)
}

// handle gives a handler one way to fail.
func (s *Service) handle(h func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if p := recover(); p != nil {
				s.Log.Error("panic in a call", "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				writeError(w, errInternal)
			}
		}()
		if err := h(w, r); err != nil {
			s.Log.Warn("error: " + err.Error())
			writeError(w, err)
		}
	}
}

// writeError is the table from kinds of failure to HTTP.
func writeError(w http.ResponseWriter, err error) {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok {
		known = errInternal
	}
	switch known.Kind {
	case fault.Invalid:
		http.Error(w, "Bad Request\n"+known.Message, http.StatusBadRequest)
	case fault.TooLarge:
		http.Error(w, known.Message, http.StatusRequestEntityTooLarge)
	case fault.Unavailable:
		http.Error(w, known.Message, http.StatusServiceUnavailable)
	default:
		http.Error(w, known.Message, http.StatusInternalServerError)
	}
}

// json is the decision over HTTP: 200 or 429. It takes any method and any
// content type, as clients were used to.
func (s *Service) json(w http.ResponseWriter, r *http.Request) error {
	request, err := readJSON(w, r)
	if err != nil {
		return err
	}
	ctx := r.Context()
	var span trace.Span
	if s.Tracer != nil {
		ctx, span = s.Tracer.Start(ctx, "NewJsonHandler Remaining Execution")
		defer span.End()
	}
	response, err := s.ShouldRateLimit(ctx, request)
	if err != nil {
		return err
	}
	body, err := MarshalJSON(response)
	if err != nil {
		return err
	}
	if span != nil {
		span.SetAttributes(attribute.String("response", string(body)))
	}
	w.Header().Set("Content-Type", "application/json")
	if response.OverallCode == rlsv3.RateLimitResponse_OVER_LIMIT {
		w.WriteHeader(http.StatusTooManyRequests)
	}
	_, _ = w.Write(body) // a client that left does not matter
	return nil
}

func (s *Service) healthcheck(w http.ResponseWriter, _ *http.Request) {
	if !s.Health.OK() {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_, _ = io.WriteString(w, "OK")
}

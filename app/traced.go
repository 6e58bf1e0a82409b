package app

import (
	"net/http"
	"net/netip"
	"slices"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
)

// traced has a span for each request to a room, called by its route. The trace of a
// caller is continued if a trusted proxy brings it: anybody else would decide what is
// kept here, and is only linked.
func (e *environment) traced(r *room, next http.Handler) http.Handler {
	tracing := e.app.tracing
	if !tracing.Enabled() {
		return next
	}
	return otelhttp.NewHandler(next, r.room, otelhttp.WithTracerProvider(tracing.Provider()), otelhttp.WithPropagators(tracing.Propagator()),
		otelhttp.WithPublicEndpointFn(func(request *http.Request) bool { return !e.app.cfg.Settings.trusts(request) }),
		otelhttp.WithSpanNameFormatter(func(room string, request *http.Request) string {
			if request.Pattern == "" {
				return room + " unknown" // also until it is known
			}
			return request.Pattern
		}))
}

// trusts tells whether a request comes from a trusted proxy.
func (s Settings) trusts(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && slices.ContainsFunc(s.proxies(), func(p netip.Prefix) bool { return p.Contains(peer.Addr().Unmap()) })
}

package app

import (
	"context"
	"fmt"
	"strings"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"stoa/console"
	"stoa/internal/health"
	"stoa/ratelimit"
	"stoa/ratelimit/rls"
	"stoa/ratelimit/rulefiles"
	"stoa/ratelimit/xds"
)

// openRatelimit joins the limiter with its counters, its rules and its ports.
func (a *App) openRatelimit() error {
	c := &a.cfg.Ratelimit
	state := rls.NewHealth(rls.Started)
	if c.Edge.HealthyWithConfig {
		state.Set(rls.RulesLoaded, false)
	}
	var limiter *ratelimit.Limiter
	counter, err := a.openCounter(state, func(error) { limiter.CountBackendError() })
	if err != nil {
		return err
	}
	options := ratelimit.Options{Config: c.Decision, Counter: counter.Counter, Stats: a.stats}
	if c.Decision.KnownBytes > 0 && c.Backend.Name != "memory" {
		options.Known = ratelimit.NewKnownOver(c.Decision.KnownBytes, a.stats)
	}
	limiter = ratelimit.New(options)
	loader := ratelimit.NewLoader(limiter, c.Merge, a.log, func(domains int) {
		if c.Edge.HealthyWithConfig {
			state.Set(rls.RulesLoaded, domains > 0)
		}
	})
	loaded, err := a.openRules(loader)
	if err != nil {
		return err
	}
	a.rules = []console.LimitSource{{Name: "ratelimit", Limiter: limiter, Prefix: "ratelimit/", Files: a.ruleFolder(loader)}}
	if c.ForceStart {
		loaded = closed
	}
	edge := rls.Options{
		Config: c.Edge, Limiter: limiter, Backend: c.Backend.Name, Health: state, Stats: a.stats, Log: a.log,
	}
	if provider := a.tracerProvider(); provider != nil {
		edge.Tracer = provider.Tracer("stoa/ratelimit")
	}
	service := rls.New(edge)
	a.debug.added = append(a.debug.added, service.DebugRoutes()...)
	a.health = append(a.health, func(context.Context) []health.Part { return ratelimitHealth(state) })
	ports := &ratelimitPorts{app: a, service: service, loaded: loaded, connect: counter.connect}
	if err := ports.secure(); err != nil {
		return err
	}
	a.fronts = append(a.fronts, ports.Run)
	return nil
}

var closed = func() <-chan struct{} { c := make(chan struct{}); close(c); return c }()

// openRules starts the source of rules; the channel closes when a first set was read.
func (a *App) openRules(loader *ratelimit.Loader) (loaded <-chan struct{}, err error) {
	c := &a.cfg.Ratelimit
	if strings.EqualFold(c.Source, sourceXDS) {
		source, err := xds.New(c.XDS, xds.Options{Log: a.log, Stats: a.stats, Load: loader.Load})
		if err != nil {
			return nil, err
		}
		a.backs = append(a.backs, source.Run)
		return source.Loaded(), nil
	}
	source := rulefiles.New(c.Files, rulefiles.Options{Log: a.log, Stats: a.stats, Load: loader.Load})
	a.backs = append(a.backs, source.Run)
	return source.Loaded(), nil
}

// ruleFolder is the files of the rules, for who edits them; nil: they come from elsewhere.
func (a *App) ruleFolder(loader *ratelimit.Loader) console.RuleFiles {
	c := &a.cfg.Ratelimit
	if strings.EqualFold(c.Source, sourceXDS) {
		return nil
	}
	return &rulefiles.Folder{Config: c.Files, Merge: c.Merge, Loader: loader}
}

// secure prepares TLS and tracing of the gRPC port.
func (p *ratelimitPorts) secure() error {
	a := p.app
	if a.tracing.Enabled() {
		p.options = append(p.options, grpc.StatsHandler(otelgrpc.NewServerHandler(
			otelgrpc.WithTracerProvider(a.tracing.Provider()), otelgrpc.WithPropagators(a.tracing.Propagator()))))
	}
	c := a.cfg.Ratelimit.Edge
	if !c.TLS {
		return nil
	}
	certificate, err := rls.OpenCertificate(c, a.stats, a.log)
	if err != nil {
		return err
	}
	config := certificate.ServerConfig()
	if err := c.AskClients(config); err != nil {
		return fmt.Errorf("TLS of the gRPC port: %w", err)
	}
	p.options = append(p.options, grpc.Creds(credentials.NewTLS(config)))
	a.backs = append(a.backs, certificate.Run)
	return nil
}

// traced is the HTTP port with the caller's trace continued.
func (p *ratelimitPorts) traced(routes rls.Routes) rls.Routes {
	if !p.app.tracing.Enabled() {
		return routes
	}
	for i, r := range routes {
		routes[i].Serve = otelhttp.NewHandler(r.Serve, r.Path,
			otelhttp.WithTracerProvider(p.app.tracing.Provider()),
			otelhttp.WithPropagators(p.app.tracing.Propagator())).ServeHTTP
	}
	return routes
}

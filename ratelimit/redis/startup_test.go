package redis_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"stoa/ratelimit/redis"
	"stoa/ratelimit/redis/redistest"
)

func TestStartWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	s.Kill()
	var log logBuffer
	cfg := tcp(s.Addr())
	cfg.StartupInitial, cfg.StartupMax = 50*time.Millisecond, 200*time.Millisecond
	c := start(t, cfg, redis.Options{Log: log.logger()})
	if _, err := tryHit(t.Context(), c, "k", 1); err == nil || !strings.Contains(err.Error(), "not connected yet") {
		t.Errorf("got %v want an error at once", err)
	}
	connected := make(chan error)
	go func() { connected <- c.Connect(t.Context()) }()
	time.Sleep(300 * time.Millisecond)
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := <-connected; err != nil {
		t.Fatal(err)
	}
	hit(t, c, "k", 1)
	if out := log.String(); !strings.Contains(out, "cannot connect to redis") || !strings.Contains(out, "connected to redis") {
		t.Errorf("got log %s want failures and the success after them", out)
	}
}

func TestStartGivesUp(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t, redistest.Password("s3cret"))
	var log logBuffer
	cfg := tcp("redis://ann:wrong@" + s.Addr())
	cfg.StartupInitial, cfg.StartupMax, cfg.StartupMaxElapsed = 50*time.Millisecond, 100*time.Millisecond, 300*time.Millisecond
	c := start(t, cfg, redis.Options{Log: log.logger()})
	err := c.Connect(t.Context())
	if err == nil || !strings.Contains(err.Error(), "given up after") || !strings.Contains(err.Error(), "WRONGPASS") {
		t.Errorf("got %v want to be told that it gave up, and why", err)
	}
	if out := log.String(); strings.Count(out, "cannot connect to redis") < 2 {
		t.Errorf("got log %s want a line for each failure", out)
	}
	wantNoSecrets(t, log.String()+err.Error())
}

func TestStartEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	pause(t, s)
	c := start(t, tcp(s.Addr()), redis.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := c.Connect(ctx); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) > 10*time.Second {
		t.Errorf("got %v after %s want the deadline at once", err, time.Since(began))
	}
}

func TestUntrustedServer(t *testing.T) {
	s := redistest.Start(t, redistest.TLS("other.example"))
	stranger := redistest.Start(t, redistest.TLS())
	cfg := tcp(s.Addr())
	cfg.Main.TLS = true
	cfg.CACert, cfg.ClientCert, cfg.ClientKey = s.Certs.CA, s.Certs.ClientCert, s.Certs.ClientKey
	cfg.StartupInitial, cfg.StartupMaxElapsed = 10*time.Millisecond, 20*time.Millisecond

	skip := cfg
	skip.SkipHostname = true
	untrusted := skip
	untrusted.CACert = stranger.Certs.CA
	for _, test := range []struct {
		name string
		cfg  redis.Config
		want string
	}{
		{"wrong name", cfg, "127.0.0.1"},
		{"wrong name skipped", skip, ""},
		{"wrong authority", untrusted, "unknown authority"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := start(t, test.cfg, redis.Options{}).Connect(t.Context())
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v want %q", err, test.want)
			}
		})
	}
}

func TestSpan(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	provider := trace.NewTracerProvider(trace.WithSpanProcessor(recorder))
	c := open(t, tcp(redistest.Start(t).Addr()), redis.Options{Tracer: provider})
	ctx, parent := provider.Tracer("test").Start(t.Context(), "parent")
	if _, err := tryHit(ctx, c, "k", 1); err != nil {
		t.Fatal(err)
	}
	hit(t, c, "k", 1) // belongs to no trace
	parent.End()
	spans := recorder.Ended()
	if len(spans) != 2 || spans[0].Name() != "Redis Pipeline Execution" {
		t.Fatalf("got %v want one span inside the parent", spans)
	}
	got := map[string]int64{}
	for _, a := range spans[0].Attributes() {
		got[string(a.Key)] = a.Value.AsInt64()
	}
	if len(got) != 2 || got["pipeline length"] != 2 || got["perSecondPipeline length"] != 0 {
		t.Errorf("got %v want lengths 2 and 0", got)
	}
}

func TestCloseLeavesNothingBehind(t *testing.T) {
	s := redistest.Start(t)
	before := runtime.NumGoroutine()
	c, err := redis.New(tcp(s.Addr()), redis.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- c.Run(ctx) }()
	if err := c.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	hit(t, c, "k", 1)
	cancel()
	if err := <-done; err != nil {
		t.Errorf("got %v want no error from Run", err)
	}
	c.Close()
	if _, err := tryHit(t.Context(), c, "k", 1); err == nil {
		t.Error("got a count after Close")
	}
	awaitTrue(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

package rls_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/protobuf/types/known/durationpb"

	"stoa/internal/certtest"
	"stoa/internal/fault"
	"stoa/ratelimit"
	"stoa/ratelimit/rls"
)

const clientRules = `domain: shop
descriptors:
  - {key: path, value: /api, rate_limit: {unit: year, requests_per_unit: 2, name: api}, descriptors: [
      {key: user, rate_limit: {unit: week, requests_per_unit: 10}}]}
  - {key: five, rate_limit: {unit: day, unit_multiplier: 5, requests_per_unit: 100}}
  - {key: free, rate_limit: {unlimited: true}}
`

// serve answers gRPC until the test ends.
func serve(t *testing.T, server *grpc.Server, network, address string) string {
	t.Helper()
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	t.Cleanup(func() {
		server.Stop()
		<-done
	})
	return listener.Addr().String()
}

func dial(t *testing.T, address string, o rls.ClientOptions) *rls.Client {
	t.Helper()
	c, err := rls.Dial(address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func descriptor(pairs ...string) ratelimit.Descriptor {
	var d ratelimit.Descriptor
	for _, pair := range pairs {
		key, value, _ := strings.Cut(pair, "=")
		d.Entries = append(d.Entries, ratelimit.Entry{Key: key, Value: value})
	}
	return d
}

// hits gives a descriptor its own.
func hits(n uint64, back bool, pairs ...string) ratelimit.Descriptor {
	d := descriptor(pairs...)
	d.Hits, d.OwnHits, d.GiveBack = n, true, back
	return d
}

// overridden gives a descriptor its own limit.
func overridden(l ratelimit.Limit, pairs ...string) ratelimit.Descriptor {
	d := descriptor(pairs...)
	d.Override = l
	return d
}

// Two services with the same rules, one asked near and one far, must not be told apart.
func TestClientAnswersAsTheLimiterItself(t *testing.T) {
	t.Parallel()
	near := newService(t, rls.Config{}, clientRules).Limiter
	far := dial(t, serve(t, newService(t, rls.Config{}, clientRules).GRPCServer(), "tcp", "localhost:0"), rls.ClientOptions{})
	var got, want ratelimit.Decision
	for _, step := range []struct {
		name string
		hits uint32
		ask  []ratelimit.Descriptor
	}{
		{"first of two", 0, []ratelimit.Descriptor{descriptor("path=/api")}},
		{"nested, none, unlimited", 0, []ratelimit.Descriptor{descriptor("path=/api", "user=u1"), descriptor("colour=red"), descriptor("free=x")}},
		{"several units", 0, []ratelimit.Descriptor{descriptor("five=x")}},
		{"over", 3, []ratelimit.Descriptor{descriptor("path=/api")}},
		{"own hits", 3, []ratelimit.Descriptor{hits(5, false, "five=x"), hits(0, false, "five=x")}},
		{"given back", 0, []ratelimit.Descriptor{hits(3, true, "path=/api")}},
		{"override", 0, []ratelimit.Descriptor{overridden(ratelimit.Limit{Requests: 5, Unit: ratelimit.Month, Multiplier: 1}, "mine=x")}},
		{"override of several units", 0, []ratelimit.Descriptor{overridden(ratelimit.Limit{Requests: 5, Unit: ratelimit.Day, Multiplier: 3}, "mine=x")}},
		{"a value with anything in it", 0, []ratelimit.Descriptor{descriptor("five=é\x01 \n,=")}},
		{"a descriptor without entries", 0, []ratelimit.Descriptor{{}}},
	} {
		r := &ratelimit.Request{Domain: "shop", Hits: step.hits, Descriptors: step.ask}
		if err := near.Decide(t.Context(), r, &want); err != nil {
			t.Fatalf("%s: near: %v", step.name, err)
		}
		if err := far.Decide(t.Context(), r, &got); err != nil {
			t.Errorf("%s: far: %v", step.name, err)
			continue
		}
		// The two may be asked in two seconds.
		aboutReset := cmpopts.EquateApprox(0, 60)
		asFloat := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "Statuses.Reset" },
			cmp.Transformer("seconds", func(n int64) float64 { return float64(n) }))
		ruleStays := cmpopts.IgnoreFields(ratelimit.Status{}, "Rule")
		if diff := cmp.Diff(want, got, aboutReset, asFloat, ruleStays); diff != "" {
			t.Errorf("%s: near -, far +\n%s", step.name, diff)
		}
	}
}

func TestWeekOverrideGoesAsSevenDays(t *testing.T) {
	t.Parallel()
	c := dial(t, serve(t, newService(t, rls.Config{}, clientRules).GRPCServer(), "tcp", "localhost:0"), rls.ClientOptions{})
	var d ratelimit.Decision
	ask := overridden(ratelimit.Limit{Requests: 5, Unit: ratelimit.Week, Multiplier: 2}, "mine=x")
	if err := c.Decide(t.Context(), &ratelimit.Request{Domain: "shop", Descriptors: []ratelimit.Descriptor{ask}}, &d); err != nil {
		t.Fatal(err)
	}
	if got, want := d.Statuses[0].Limit.String(), "5 per 14 days"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// answers is a service of somebody else.
type answers struct {
	rlsv3.UnimplementedRateLimitServiceServer
	response *rlsv3.RateLimitResponse
}

func (a answers) ShouldRateLimit(context.Context, *rlsv3.RateLimitRequest) (*rlsv3.RateLimitResponse, error) {
	return a.response, nil
}

func TestAnswersOfOtherServices(t *testing.T) {
	t.Parallel()
	const ok, over = rlsv3.RateLimitResponse_OK, rlsv3.RateLimitResponse_OVER_LIMIT
	status := func(code rlsv3.RateLimitResponse_Code) *rlsv3.RateLimitResponse_DescriptorStatus {
		return &rlsv3.RateLimitResponse_DescriptorStatus{
			Code: code, LimitRemaining: 4, DurationUntilReset: &durationpb.Duration{Seconds: 8, Nanos: 1},
			CurrentLimit: &rlsv3.RateLimitResponse_RateLimit{RequestsPerUnit: 5, Unit: 99},
		}
	}
	read := ratelimit.Status{Code: ratelimit.OK, Limited: true, Remaining: 4, Reset: 9, Limit: ratelimit.Limit{Requests: 5, Multiplier: 1}}
	allOver := ratelimit.Status{Code: ratelimit.OverLimit}
	for _, test := range []struct {
		name     string
		response *rlsv3.RateLimitResponse
		want     ratelimit.Decision
	}{
		{"no statuses", &rlsv3.RateLimitResponse{OverallCode: over}, ratelimit.Decision{Code: ratelimit.OverLimit, Statuses: []ratelimit.Status{allOver, allOver}}},
		{"too few, an unknown unit, part of a second", &rlsv3.RateLimitResponse{OverallCode: over, Statuses: []*rlsv3.RateLimitResponse_DescriptorStatus{status(ok)}},
			ratelimit.Decision{Code: ratelimit.OverLimit, Statuses: []ratelimit.Status{read, allOver}}},
		{"too many", &rlsv3.RateLimitResponse{OverallCode: ok, Statuses: []*rlsv3.RateLimitResponse_DescriptorStatus{status(ok), status(ok), status(over)}},
			ratelimit.Decision{Code: ratelimit.OK, Statuses: []ratelimit.Status{read, read}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := askAnswering(t, test.response)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("want -, got +\n%s", diff)
			}
		})
	}
	t.Run("no code", func(t *testing.T) {
		t.Parallel()
		_, err := askAnswering(t, &rlsv3.RateLimitResponse{})
		wantNoDecision(t, err)
	})
}

// askAnswering asks a service, that always answers the same, about two descriptors.
func askAnswering(t *testing.T, response *rlsv3.RateLimitResponse) (d ratelimit.Decision, err error) {
	t.Helper()
	server := grpc.NewServer()
	rlsv3.RegisterRateLimitServiceServer(server, answers{response: response})
	c := dial(t, serve(t, server, "tcp", "localhost:0"), rls.ClientOptions{})
	err = c.Decide(t.Context(), &ratelimit.Request{Domain: "shop", Descriptors: []ratelimit.Descriptor{descriptor("a=1"), descriptor("b=2")}}, &d)
	return d, err
}

// wantNoDecision wants an error that may be shown and tells no stranger about machines.
func wantNoDecision(t *testing.T, err error) {
	t.Helper()
	shown, ok := errors.AsType[*fault.Error](err)
	if !ok || !errors.Is(err, fault.Unavailable) {
		t.Fatalf("got %v, want one of kind unavailable", err)
	}
	if got, want := shown.Message, "the rate limit service gives no decision, try again later"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func one() *ratelimit.Request {
	return &ratelimit.Request{Domain: "shop", Descriptors: []ratelimit.Descriptor{descriptor("five=x")}}
}

func TestClientWithoutAService(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, address string }{
		{"nobody listens", "unix:" + filepath.Join(t.TempDir(), "nobody")},
		{"somebody else listens", silent(t)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			wantNoDecision(t, dial(t, test.address, rls.ClientOptions{}).Decide(ctx, one(), new(ratelimit.Decision)))
		})
	}
}

// silent is a port that takes connections and says nothing.
func silent(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

func TestClientFindsAServiceThatComesLater(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "socket")
	c := dial(t, "unix:"+path, rls.ClientOptions{})
	wantNoDecision(t, c.Decide(t.Context(), one(), new(ratelimit.Decision)))
	serve(t, newService(t, rls.Config{}, clientRules).GRPCServer(), "unix", path)
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		if err = c.Decide(t.Context(), one(), new(ratelimit.Decision)); err == nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("got %v, want a decision", err)
}

func TestClientRefusesWhatNobodyCanAnswer(t *testing.T) {
	t.Parallel()
	c := dial(t, "unix:/nobody", rls.ClientOptions{})
	for want, r := range map[error]*ratelimit.Request{
		ratelimit.ErrEmptyDomain:   {Descriptors: one().Descriptors},
		ratelimit.ErrNoDescriptors: {Domain: "shop"},
	} {
		if err := c.Decide(t.Context(), r, new(ratelimit.Decision)); !errors.Is(err, want) {
			t.Errorf("got %v, want %v", err, want)
		}
	}
	if _, err := rls.Dial("", rls.ClientOptions{}); !errors.Is(err, fault.Invalid) {
		t.Errorf("no address: got %v, want one of kind invalid", err)
	}
}

func TestClientSpeaksTLS(t *testing.T) {
	t.Parallel()
	authority, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files, err := authority.Issue("server", "localhost", "127.0.0.1", "::1")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	roots, err := authority.Pool()
	if err != nil {
		t.Fatal(err)
	}
	secure := grpc.Creds(credentials.NewServerTLSFromCert(&pair))
	address := serve(t, newService(t, rls.Config{}, clientRules).GRPCServer(secure), "tcp", "localhost:0")

	trusting := dial(t, address, rls.ClientOptions{TLS: &tls.Config{RootCAs: roots}})
	if err := trusting.Decide(t.Context(), one(), new(ratelimit.Decision)); err != nil {
		t.Errorf("with the authority: %v", err)
	}
	wantNoDecision(t, dial(t, address, rls.ClientOptions{TLS: &tls.Config{}}).Decide(t.Context(), one(), new(ratelimit.Decision)))
	wantNoDecision(t, dial(t, address, rls.ClientOptions{}).Decide(t.Context(), one(), new(ratelimit.Decision)))
}

package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"stoa/internal/clienttls"
	"stoa/internal/tracing"
	"stoa/ratelimit/rls"
)

const askUsage = `Usage: stoa ratelimit ask [flags]

Asks a running rate limit service for a decision, as one hit, and prints it. The
exit status is 0 whatever the decision is, and 1 when nobody answered.

  stoa ratelimit ask -domain shop -descriptors path=/api,user=u1
  stoa ratelimit ask -dial_string unix:/run/ratelimit.sock -domain shop -descriptors path=/api -o json
`

// askPatience is how long ask waits for an answer.
const askPatience = 10 * time.Second

type askFlags struct {
	requestFlags
	address           string
	useTLS            bool
	caFile, cert, key string
	tracingProtocol   string
}

func runAsk(ctx context.Context, p process, flags *flag.FlagSet, args []string) error {
	var f askFlags
	f.define(flags)
	flags.StringVar(&f.address, "dial_string", "localhost:8081", "`address` of the service: host:port or unix:PATH")
	flags.BoolVar(&f.useTLS, "grpc-use-tls", false, "speak TLS")
	flags.StringVar(&f.caFile, "grpc-server-ca-file", "", "PEM `file` of the CA of the server's certificate")
	flags.StringVar(&f.cert, "grpc-cert-file", "", "PEM `file` of the client's certificate")
	flags.StringVar(&f.key, "grpc-key-file", "", "PEM `file` of the client's key")
	flags.StringVar(&f.tracingProtocol, "oltp-protocol", "", "http or grpc: send a trace of the call to the OpenTelemetry collector")
	rest, err := parseFlags(flags, args)
	if err != nil {
		return err
	}
	if err := f.finish(rest); err != nil {
		return err
	}
	f.show(p.stderr, flags)
	ctx, cancel := context.WithTimeout(ctx, askPatience)
	defer cancel()
	response, err := f.ask(ctx)
	if err != nil {
		fmt.Fprintf(p.stderr, "request error: %s\n", status.Convert(err).Message())
		return errFaulty
	}
	if f.output == "json" {
		body, err := rls.MarshalJSON(response)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s\n", body)
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "response: %s\n", rls.CompactText(response))
	return err
}

func (f *askFlags) ask(ctx context.Context) (*rlsv3.RateLimitResponse, error) {
	options, end, err := f.dialOptions(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	conn, err := grpc.NewClient(f.address, options...)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	f.request.HitsAddend = 1
	return rlsv3.NewRateLimitServiceClient(conn).ShouldRateLimit(ctx, &f.request)
}

func (f *askFlags) dialOptions(ctx context.Context) (options []grpc.DialOption, end func(), err error) {
	secure := insecure.NewCredentials()
	if f.useTLS {
		config, err := clienttls.Files{
			CA:   clienttls.File{Setting: "-grpc-server-ca-file", Path: f.caFile},
			Cert: clienttls.File{Setting: "-grpc-cert-file", Path: f.cert},
			Key:  clienttls.File{Setting: "-grpc-key-file", Path: f.key},
		}.Config()
		if err != nil {
			return nil, nil, err
		}
		secure = credentials.NewTLS(config)
	}
	options = append(options, grpc.WithTransportCredentials(secure))
	if f.tracingProtocol == "" {
		return options, func() {}, nil
	}
	t, err := tracing.Start(ctx, tracing.Config{
		Enabled: true, Protocol: f.tracingProtocol, ServiceName: "RateLimitClient", SamplingRate: 1,
	})
	if err != nil {
		return nil, nil, err
	}
	options = append(options, grpc.WithStatsHandler(otelgrpc.NewClientHandler(
		otelgrpc.WithTracerProvider(t.Provider()), otelgrpc.WithPropagators(t.Propagator()))))
	return options, func() { _ = t.Shutdown(ctx) }, nil
}

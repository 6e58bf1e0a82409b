package xds

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"time"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
)

// A stream may be silent for days, so a dead connection has to be found by asking.
// Most servers refuse clients that ask more than once in five minutes.
var alive = keepalive.ClientParameters{Time: 330 * time.Second, Timeout: 20 * time.Second}

// open connects and begins a stream. It fails when the server is not there: how
// long to wait then is the caller's affair, not gRPC's.
func (c Config) open(ctx context.Context) (stream, func(), error) {
	creds, err := c.credentials()
	if err != nil {
		return nil, nil, err
	}
	options := []grpc.DialOption{grpc.WithTransportCredentials(creds), grpc.WithKeepaliveParams(alive)}
	if c.MaxMessage > 0 {
		options = append(options, grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(c.MaxMessage)))
	}
	conn, err := grpc.NewClient(c.ServerURL, options...)
	if err != nil {
		return nil, nil, fmt.Errorf("CONFIG_GRPC_XDS_SERVER_URL: %w", err)
	}
	ctx = metadata.NewOutgoingContext(ctx, metadata.New(c.Headers))
	s, err := discovery.NewAggregatedDiscoveryServiceClient(conn).StreamAggregatedResources(ctx)
	if err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	return s, func() { _ = conn.Close() }, nil
}

func (c Config) credentials() (credentials.TransportCredentials, error) {
	if !c.TLS {
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{ServerName: c.ServerName}
	if c.CACert != "" {
		roots, err := rootsWith(c.CACert)
		if err != nil {
			return nil, fmt.Errorf("CONFIG_GRPC_XDS_SERVER_TLS_CACERT: %w", err)
		}
		config.RootCAs = roots
	}
	if c.ClientCert != "" && c.ClientKey != "" {
		pair, err := tls.LoadX509KeyPair(c.ClientCert, c.ClientKey)
		if err != nil {
			return nil, fmt.Errorf("CONFIG_GRPC_XDS_CLIENT_TLS_CERT, CONFIG_GRPC_XDS_CLIENT_TLS_KEY: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return credentials.NewTLS(config), nil
}

func rootsWith(file string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("read the system's authorities: %w", err)
	}
	if !roots.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s: no certificate in it", file)
	}
	return roots, nil
}

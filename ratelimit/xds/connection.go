package xds

import (
	"context"
	"fmt"
	"time"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	"stoa/internal/clienttls"
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
	config, err := clienttls.Files{
		CA:   clienttls.File{Setting: "CONFIG_GRPC_XDS_SERVER_TLS_CACERT", Path: c.CACert},
		Cert: clienttls.File{Setting: "CONFIG_GRPC_XDS_CLIENT_TLS_CERT", Path: c.ClientCert},
		Key:  clienttls.File{Setting: "CONFIG_GRPC_XDS_CLIENT_TLS_KEY", Path: c.ClientKey},
	}.Config()
	if err != nil {
		return nil, err
	}
	config.ServerName = c.ServerName
	return credentials.NewTLS(config), nil
}

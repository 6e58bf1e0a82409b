package rls

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"os"

	"stoa/internal/certificate"
	"stoa/internal/stats"
)

// OpenCertificate reads the certificate and key of the gRPC port, and counts this
// and every later reading.
func OpenCertificate(c Config, registry *stats.Registry, log *slog.Logger) (*certificate.Pair, error) {
	attempts, failures := registry.Counter("certs.load_attempts"), registry.Counter("certs.load_failures")
	values := registry.Gauge("certs.num_values")
	pair, err := certificate.Open(certificate.Options{Cert: c.TLSCert, Key: c.TLSKey, Log: log, Read: func(err error) {
		attempts.Add(1)
		if err != nil {
			failures.Add(1)
			return
		}
		values.Set(2)
	}})
	if err != nil {
		return nil, fmt.Errorf("GRPC_SERVER_TLS_CERT, GRPC_SERVER_TLS_KEY: %w", err)
	}
	return pair, nil
}

// AskClients has the gRPC port ask its callers for a certificate, if the settings
// name an authority for them; with a SAN too, one that is valid for that name.
func (c Config) AskClients(config *tls.Config) error {
	if c.ClientCACert == "" {
		return nil
	}
	pem, err := os.ReadFile(c.ClientCACert)
	if err != nil {
		return fmt.Errorf("GRPC_CLIENT_TLS_CACERT: %w", err)
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(pem) {
		return fmt.Errorf("GRPC_CLIENT_TLS_CACERT: no certificate in %s", c.ClientCACert)
	}
	config.ClientAuth = tls.RequireAndVerifyClientCert
	if san := c.ClientSAN; san != "" {
		config.VerifyConnection = func(state tls.ConnectionState) error {
			return state.PeerCertificates[0].VerifyHostname(san)
		}
	}
	return nil
}

package rls

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"stoa/internal/stats"
)

// Certificate is the gRPC server's certificate and key, read again when their
// directory changes. New handshakes use the new pair; a broken one changes nothing.
type Certificate struct {
	config Config
	log    *slog.Logger
	pair   atomic.Pointer[tls.Certificate]

	attempts, failures *stats.Counter
	values             *stats.Gauge
}

// OpenCertificate reads the pair for the first time.
func OpenCertificate(c Config, registry *stats.Registry, log *slog.Logger) (*Certificate, error) {
	cert := &Certificate{
		config: c, log: log,
		attempts: registry.Counter("certs.load_attempts"),
		failures: registry.Counter("certs.load_failures"),
		values:   registry.Gauge("certs.num_values"),
	}
	if err := cert.load(); err != nil {
		return nil, fmt.Errorf("GRPC_SERVER_TLS_CERT, GRPC_SERVER_TLS_KEY: %w", err)
	}
	return cert, nil
}

func (c *Certificate) load() error {
	c.attempts.Add(1)
	pair, err := tls.LoadX509KeyPair(c.config.TLSCert, c.config.TLSKey)
	if err != nil {
		c.failures.Add(1)
		return err
	}
	c.pair.Store(&pair)
	c.values.Set(2)
	return nil
}

// ServerConfig is the TLS of the gRPC port. With a client CA, callers must show a
// certificate of that CA; with a SAN too, one that is valid for that name.
func (c *Certificate) ServerConfig() (*tls.Config, error) {
	config := &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.pair.Load(), nil },
	}
	if c.config.ClientCACert == "" {
		return config, nil
	}
	pem, err := os.ReadFile(c.config.ClientCACert)
	if err != nil {
		return nil, fmt.Errorf("GRPC_CLIENT_TLS_CACERT: %w", err)
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("GRPC_CLIENT_TLS_CACERT: no certificate in %s", c.config.ClientCACert)
	}
	config.ClientAuth = tls.RequireAndVerifyClientCert
	if san := c.config.ClientSAN; san != "" {
		config.VerifyConnection = func(state tls.ConnectionState) error {
			return state.PeerCertificates[0].VerifyHostname(san)
		}
	}
	return config, nil
}

// Run reads the pair again when its directory changes, until the context ends.
func (c *Certificate) Run(ctx context.Context) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watch certificates: %w", err)
	}
	defer watcher.Close()
	if err := watcher.Add(filepath.Dir(c.config.TLSCert)); err != nil {
		return fmt.Errorf("watch certificates: %w", err)
	}
	settle := time.NewTimer(time.Hour) // certificate and key are two writes
	settle.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case _, ok := <-watcher.Events:
			if !ok {
				return errors.New("watch certificates: the watch ended")
			}
			settle.Reset(100 * time.Millisecond)
		case err := <-watcher.Errors:
			c.log.Error("watch certificates", "error", err)
		case <-settle.C:
			if err := c.load(); err != nil {
				c.log.Error("the certificate could not be read again, the old one stays", "error", err)
				continue
			}
			c.log.Info("certificate read again", "file", c.config.TLSCert)
		}
	}
}

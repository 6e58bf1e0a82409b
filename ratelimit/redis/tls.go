package redis

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
)

// tlsConfig is for connections that speak TLS.
func (c Config) tlsConfig() (*tls.Config, error) {
	config := &tls.Config{}
	if c.CACert != "" {
		roots, err := rootsWith(c.CACert)
		if err != nil {
			return nil, fmt.Errorf("REDIS_TLS_CACERT: %w", err)
		}
		config.RootCAs = roots
	}
	if c.ClientCert != "" && c.ClientKey != "" {
		pair, err := tls.LoadX509KeyPair(c.ClientCert, c.ClientKey)
		if err != nil {
			return nil, fmt.Errorf("REDIS_TLS_CLIENT_CERT, REDIS_TLS_CLIENT_KEY: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if c.SkipHostname {
		config.InsecureSkipVerify = true // VerifyConnection checks all but the name
		config.VerifyConnection = chainOf(config.RootCAs)
	}
	return config, nil
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

// chainOf checks a server's certificate without its name; nil are the system's
// authorities.
func chainOf(roots *x509.CertPool) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		between := x509.NewCertPool()
		for _, cert := range state.PeerCertificates[1:] {
			between.AddCert(cert)
		}
		_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between})
		return err
	}
}

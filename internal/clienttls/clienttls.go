// Package clienttls makes the TLS settings of clients from PEM files.
package clienttls

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
)

// File is the path of a PEM file, and the setting that names it, for messages.
type File struct{ Setting, Path string }

// Files is what a client is given. Empty paths are not given.
type Files struct {
	CA        File // trusted beside the system's authorities
	Cert, Key File // the client's pair, used when both are given
	// AnyName takes a certificate of any name, as long as its chain is good.
	AnyName bool
}

// Config reads the files.
func (f Files) Config() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.CA.Path != "" {
		roots, err := rootsWith(f.CA.Path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.CA.Setting, err)
		}
		config.RootCAs = roots
	}
	if f.Cert.Path != "" && f.Key.Path != "" {
		pair, err := tls.LoadX509KeyPair(f.Cert.Path, f.Key.Path)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", f.Cert.Setting, f.Key.Setting, err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	if f.AnyName {
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

// chainOf checks a server's certificate without its name; nil roots are the
// system's authorities.
func chainOf(roots *x509.CertPool) func(tls.ConnectionState) error {
	return func(state tls.ConnectionState) error {
		if len(state.PeerCertificates) == 0 {
			return errors.New("the server shows no certificate")
		}
		between := x509.NewCertPool()
		for _, cert := range state.PeerCertificates[1:] {
			between.AddCert(cert)
		}
		_, err := state.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between})
		return err
	}
}

package certificate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// LetsEncrypt is the authority that is asked when no other is named.
const LetsEncrypt = acme.LetsEncryptURL

// ACMEOptions says for whom certificates are fetched, and where.
type ACMEOptions struct {
	Hosts     []string
	Email     string // where the authority writes to; "": nowhere
	Directory string // address of the authority
	Root      string // PEM file of who vouches for that address; "": those that the system trusts
	Folder    string // where account and certificates are kept; made if need be
	Log       *slog.Logger
}

// ACME is certificates that an authority issues to who answers at a host. They are
// fetched when they are first asked for, and again a month before they end. The
// authority looks at port 443 of the host (TLS-ALPN-01), so the same listener answers it.
type ACME struct {
	options ACMEOptions
	manager *autocert.Manager
}

// NewACME asks nobody yet.
func NewACME(o ACMEOptions) (*ACME, error) {
	client, err := directoryClient(o.Root)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.Folder, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of certificates: %w", err)
	}
	return &ACME{o, &autocert.Manager{
		Prompt: autocert.AcceptTOS, HostPolicy: autocert.HostWhitelist(o.Hosts...), Email: o.Email,
		Cache: autocert.DirCache(o.Folder), Client: &acme.Client{DirectoryURL: o.Directory, HTTPClient: client, UserAgent: "stoa"},
	}}, nil
}

// directoryTime is how long the authority may take to answer one question.
const directoryTime = 30 * time.Second

func directoryClient(root string) (*http.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if root != "" {
		pem, err := os.ReadFile(root)
		if err != nil {
			return nil, err
		}
		trusted := x509.NewCertPool()
		if !trusted.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("%s has no certificate", root)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	}
	return &http.Client{Timeout: directoryTime, Transport: &orders{next: transport, at: map[string]string{}}}, nil
}

// ServerConfig is the TLS of a server that shows the certificate of the host that it is
// asked for, and answers the authority.
func (a *ACME) ServerConfig() *tls.Config {
	config := a.manager.TLSConfig()
	config.MinVersion = tls.VersionTLS12
	config.GetCertificate = func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		pair, err := a.manager.GetCertificate(hello)
		if err != nil && slices.Contains(a.options.Hosts, hello.ServerName) { // others are asked for by strangers
			a.options.Log.Warn("there is no certificate", "host", hello.ServerName, "error", err)
		}
		return pair, err
	}
	return config
}

// Fetch gets the certificate of a host, so that its first visitor need not wait. The
// listener must be open.
func (a *ACME) Fetch(ctx context.Context, host string) error {
	hello := &tls.ClientHelloInfo{ServerName: host, SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256}, CipherSuites: []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256}}
	fetched := make(chan error, 1)
	go func() {
		_, err := a.manager.GetCertificate(hello) // which has a limit of its own
		fetched <- err
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err := <-fetched:
		return err
	}
}

// CheckHost tells whether an authority can issue a certificate for a host this way.
func CheckHost(host string) error {
	if host != strings.ToLower(host) || !strings.Contains(strings.Trim(host, "."), ".") || strings.ContainsAny(host, "*:/ ") || net.ParseIP(host) != nil {
		return errors.New("want host names in small letters, without port, such as polls.example.com")
	}
	return nil
}

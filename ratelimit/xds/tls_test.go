package xds

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	rules "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// The server is control.example and wants a certificate of its clients.
func TestTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ca := newAuthority(t, dir)
	serverCert, serverKey := ca.issue(t, dir, "control.example")
	pair, err := tls.LoadX509KeyPair(serverCert, serverKey)
	if err != nil {
		t.Fatal(err)
	}
	control := listen(t, "127.0.0.1:0", grpc.Creds(credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{pair}, ClientCAs: ca.pool(), ClientAuth: tls.RequireAndVerifyClientCert,
	})))

	cfg := quick(control.addr)
	cfg.TLS, cfg.CACert, cfg.ServerName = true, ca.file, "control.example"
	cfg.ClientCert, cfg.ClientKey = ca.issue(t, dir, "client")
	s := run(t, cfg)
	control.request(t)
	control.send(t, "v1", "n1", domain(t, "one", rules.RateLimitUnit_DAY))
	if s.domains() != "one" {
		t.Errorf("got domains %q", s.domains())
	}

	for name, change := range map[string]func(*Config){
		"another name":          func(c *Config) { c.ServerName = "" },
		"unknown authority":     func(c *Config) { c.CACert = "" },
		"no client certificate": func(c *Config) { c.ClientKey = "" },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := cfg
			change(&cfg)
			s := run(t, cfg)
			for end := time.Now().Add(5 * time.Second); len(s.log.with("No connection")) == 0; time.Sleep(time.Millisecond) {
				if time.Now().After(end) {
					t.Fatal("not in time: a warning")
				}
			}
			select {
			case r := <-control.requests:
				t.Errorf("got request %v, want none", r)
			default:
			}
		})
	}
	cfg.CACert = serverKey
	if _, err := New(cfg, Options{}); err == nil {
		t.Error("an authority without a certificate: got no error")
	}
}

type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string
}

func newAuthority(t *testing.T, dir string) *authority {
	t.Helper()
	ca := &authority{file: filepath.Join(dir, "ca.pem"), cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	ca.key = ca.sign(t, ca.cert, ca.file, filepath.Join(dir, "ca.key"))
	return ca
}

func (ca *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	text, _ := os.ReadFile(ca.file)
	pool.AppendCertsFromPEM(text)
	return pool
}

func (ca *authority) issue(t *testing.T, dir, name string) (certFile, keyFile string) {
	t.Helper()
	certFile, keyFile = filepath.Join(dir, name+".pem"), filepath.Join(dir, name+".key")
	ca.sign(t, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: ca.cert.NotBefore, NotAfter: ca.cert.NotAfter,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, certFile, keyFile)
	return certFile, keyFile
}

// sign writes a certificate with a new key. The authority's own comes first.
func (ca *authority) sign(t *testing.T, cert *x509.Certificate, certFile, keyFile string) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer := ca.key
	if signer == nil {
		signer = key
	}
	der, err := x509.CreateCertificate(rand.Reader, cert, ca.cert, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: der},
		keyFile:  {Type: "PRIVATE KEY", Bytes: keyDER},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return key
}

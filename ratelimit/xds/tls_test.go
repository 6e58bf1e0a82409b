package xds

import (
	"crypto/tls"
	"testing"
	"time"

	rules "github.com/envoyproxy/go-control-plane/ratelimit/config/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"stoa/internal/certtest"
)

// The server is control.example and wants a certificate of its clients.
func TestTLS(t *testing.T) {
	t.Parallel()
	ca, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	trusted, err := ca.Pool()
	if err != nil {
		t.Fatal(err)
	}
	server, client := issue(t, ca, "control.example"), issue(t, ca, "client")
	pair, err := tls.LoadX509KeyPair(server.Cert, server.Key)
	if err != nil {
		t.Fatal(err)
	}
	control := listen(t, "127.0.0.1:0", grpc.Creds(credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{pair}, ClientCAs: trusted, ClientAuth: tls.RequireAndVerifyClientCert,
	})))

	cfg := quick(control.addr)
	cfg.TLS, cfg.CACert, cfg.ServerName = true, ca.File, "control.example"
	cfg.ClientCert, cfg.ClientKey = client.Cert, client.Key
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
	cfg.CACert = server.Key
	if _, err := New(cfg, Options{}); err == nil {
		t.Error("an authority without a certificate: got no error")
	}
}

func issue(t *testing.T, ca *certtest.Authority, name string) certtest.Pair {
	t.Helper()
	pair, err := ca.Issue(name, name)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

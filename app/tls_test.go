package app_test

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"strings"
	"testing"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"stoa/app"
	"stoa/internal/certtest"
)

// authority issues certificates.
type authority struct {
	*certtest.Authority
	t *testing.T
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &authority{a, t}
}

// issue makes a pair for a DNS name, and for 127.0.0.1.
func (a *authority) issue(name string, usage x509.ExtKeyUsage) (cert, key []byte) {
	a.t.Helper()
	cert, key, err := a.Sign([]x509.ExtKeyUsage{usage}, name, name, "127.0.0.1")
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (a *authority) pair(name string, usage x509.ExtKeyUsage) tls.Certificate {
	a.t.Helper()
	pair, err := tls.X509KeyPair(a.issue(name, usage))
	if err != nil {
		a.t.Fatal(err)
	}
	return pair
}

func (a *authority) pem() []byte { return readFile(a.t, a.File) }

func writeFile(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// writePair puts a server's pair in place; it returns the settings for it.
func (a *authority) writePair(dir, name string) environ {
	a.t.Helper()
	cert, key := a.issue(name, x509.ExtKeyUsageServerAuth)
	return environ{
		"GRPC_SERVER_USE_TLS":  "true",
		"GRPC_SERVER_TLS_CERT": writeFile(a.t, dir, "tls.crt", cert),
		"GRPC_SERVER_TLS_KEY":  writeFile(a.t, dir, "tls.key", key),
	}
}

// callTLS asks for a decision and tells the name in the server's certificate.
func (p *process) callTLS(ca *authority, own ...tls.Certificate) (serverName string, err error) {
	p.t.Helper()
	config := &tls.Config{RootCAs: x509.NewCertPool(), Certificates: own}
	config.RootCAs.AppendCertsFromPEM(ca.pem())
	config.VerifyConnection = func(state tls.ConnectionState) error {
		serverName = state.PeerCertificates[0].DNSNames[0]
		return nil
	}
	conn, err := grpc.NewClient(p.address("grpc"), grpc.WithTransportCredentials(credentials.NewTLS(config)))
	if err != nil {
		p.t.Fatal(err)
	}
	defer conn.Close()
	_, err = rlsv3.NewRateLimitServiceClient(conn).ShouldRateLimit(p.t.Context(), ask("shop", "x=y"))
	return serverName, err
}

func TestTLS(t *testing.T) {
	t.Parallel()
	ca := newAuthority(t)
	p := start(t, shopRules, ca.writePair(t.TempDir(), "one.test"))
	if _, err := p.callTLS(ca); err != nil {
		t.Error(err)
	}
	if _, err := p.client().ShouldRateLimit(t.Context(), ask("shop", "x=y")); err == nil {
		t.Error("a plain call passed")
	}
	if got := p.postJSON(jsonDescriptor("shop", "x", "y")); got.code != 200 {
		t.Errorf("/json: got %d, want 200: the HTTP port stays plain", got.code)
	}
}

func TestTLSPairIsReadAgain(t *testing.T) {
	t.Parallel()
	ca, dir := newAuthority(t), t.TempDir()
	p := start(t, shopRules, ca.writePair(dir, "one.test"))
	if name, err := p.callTLS(ca); name != "one.test" {
		t.Fatalf("got %q, %v, want one.test", name, err)
	}
	ca.writePair(dir, "two.test")
	eventually(t, "the new pair is used", func() bool {
		name, err := p.callTLS(ca)
		if err != nil {
			t.Fatal(err)
		}
		return name == "two.test"
	})
	writeFile(t, dir, "tls.key", []byte("broken"))
	eventually(t, "the broken pair is noticed", func() bool { return p.stats()["certs.load_failures"] > 0 })
	if name, err := p.callTLS(ca); name != "two.test" || err != nil {
		t.Errorf("got %q, %v, want that two.test stays", name, err)
	}
	if !strings.Contains(p.log.String(), "level=error") {
		t.Error("got no error line for the broken pair")
	}
	ca.writePair(dir, "three.test")
	eventually(t, "a good pair is used again", func() bool { name, _ := p.callTLS(ca); return name == "three.test" })
}

func TestMutualTLS(t *testing.T) {
	t.Parallel()
	ca, clients, strangers := newAuthority(t), newAuthority(t), newAuthority(t)
	client, server := x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth
	for _, test := range []struct {
		name string
		san  string
		own  []tls.Certificate
		want bool
	}{
		{"no certificate", "", nil, false},
		{"any certificate of the authority", "", []tls.Certificate{clients.pair("who.test", client)}, true},
		{"of another authority", "", []tls.Certificate{strangers.pair("who.test", client)}, false},
		{"of the server's authority", "", []tls.Certificate{ca.pair("who.test", client)}, false},
		{"right name", "envoy.test", []tls.Certificate{clients.pair("envoy.test", client)}, true},
		{"wildcard name", "envoy.test", []tls.Certificate{clients.pair("*.test", client)}, true},
		{"wrong name", "envoy.test", []tls.Certificate{clients.pair("who.test", client)}, false},
		{"no certificate, name wanted", "envoy.test", nil, false},
		{"not for clients", "envoy.test", []tls.Certificate{clients.pair("envoy.test", server)}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			set := ca.writePair(dir, "one.test")
			set["GRPC_CLIENT_TLS_CACERT"] = writeFile(t, dir, "clients.pem", clients.pem())
			set["GRPC_CLIENT_TLS_SAN"] = test.san
			p := start(t, shopRules, set)
			if _, err := p.callTLS(ca, test.own...); (err == nil) != test.want {
				t.Errorf("got %v, want that it passes: %v", err, test.want)
			}
		})
	}
}

func TestTLSFilesThatEndTheStart(t *testing.T) {
	t.Parallel()
	ca, dir, other := newAuthority(t), t.TempDir(), t.TempDir()
	good := ca.writePair(dir, "one.test")
	cert, key := good["GRPC_SERVER_TLS_CERT"], good["GRPC_SERVER_TLS_KEY"]
	for _, test := range []struct {
		name string
		set  environ
		want string
	}{
		{"no certificate", environ{"GRPC_SERVER_TLS_KEY": key}, "GRPC_SERVER_TLS_CERT"},
		{"no key", environ{"GRPC_SERVER_TLS_CERT": cert}, "GRPC_SERVER_TLS_KEY"},
		{"missing file", environ{"GRPC_SERVER_TLS_CERT": dir + "/no.crt", "GRPC_SERVER_TLS_KEY": key}, "GRPC_SERVER_TLS_CERT"},
		{"two directories", environ{"GRPC_SERVER_TLS_CERT": cert, "GRPC_SERVER_TLS_KEY": other + "/tls.key"}, "GRPC_SERVER_TLS_KEY"},
		{"missing authority", environ{"GRPC_SERVER_TLS_CERT": cert, "GRPC_SERVER_TLS_KEY": key, "GRPC_CLIENT_TLS_CACERT": dir + "/no.pem"}, "GRPC_CLIENT_TLS_CACERT"},
		{"empty authority", environ{"GRPC_SERVER_TLS_CERT": cert, "GRPC_SERVER_TLS_KEY": key, "GRPC_CLIENT_TLS_CACERT": key}, "GRPC_CLIENT_TLS_CACERT"},
	} {
		test.set["GRPC_SERVER_USE_TLS"] = "true"
		cfg, err := app.ReadConfig(app.Settings{}, test.set)
		if err == nil {
			_, err = app.New(cfg, app.Options{Stderr: new(output)}, "ratelimit")
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want one line with %s", test.name, err, test.want)
		}
	}
}

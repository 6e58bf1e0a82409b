package memcachetest

import (
	"testing"

	"stoa/internal/certtest"
)

// Files are the paths of what a client needs to speak with a TLS server.
type Files struct {
	CA         string // the authority of both certificates
	ClientCert string
	ClientKey  string
}

// StartTLS runs a memcached that speaks TLS only, with a certificate for the
// names, and wants a certificate from its clients.
func StartTLS(t testing.TB, names ...string) (*Server, Files) {
	t.Helper()
	ca, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	server, err := ca.Issue("server", names...)
	if err != nil {
		t.Fatal(err)
	}
	client, err := ca.Issue("client")
	if err != nil {
		t.Fatal(err)
	}
	options := "ssl_chain_cert=" + server.Cert + ",ssl_key=" + server.Key + ",ssl_ca_cert=" + ca.File + ",ssl_verify_mode=2"
	return start(t, "-Z", "-o", options), Files{CA: ca.File, ClientCert: client.Cert, ClientKey: client.Key}
}

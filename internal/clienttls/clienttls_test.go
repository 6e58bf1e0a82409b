package clienttls_test

import (
	"crypto/tls"
	"net"
	"os"
	"strings"
	"testing"

	"stoa/internal/certtest"
	"stoa/internal/clienttls"
)

// server speaks TLS as "server.example" and tells whether the client showed a certificate.
func server(t *testing.T, ca *certtest.Authority) (address string) {
	t.Helper()
	pair := issue(t, ca, "server", "server.example")
	cert, err := tls.LoadX509KeyPair(pair.Cert, pair.Key)
	if err != nil {
		t.Fatal(err)
	}
	trusted, err := ca.Pool()
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{cert}, ClientCAs: trusted, ClientAuth: tls.VerifyClientCertIfGiven,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answer(conn)
		}
	}()
	return listener.Addr().String()
}

func answer(conn net.Conn) {
	defer conn.Close()
	secure := conn.(*tls.Conn)
	if err := secure.Handshake(); err != nil {
		return
	}
	word := "anonymous"
	if peers := secure.ConnectionState().PeerCertificates; len(peers) > 0 {
		word = peers[0].Subject.CommonName
	}
	_, _ = conn.Write([]byte(word))
}

func issue(t *testing.T, ca *certtest.Authority, name string, hosts ...string) certtest.Pair {
	t.Helper()
	pair, err := ca.Issue(name, hosts...)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

func authority(t *testing.T) *certtest.Authority {
	t.Helper()
	ca, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return ca
}

func TestWhomAClientTrusts(t *testing.T) {
	ca, stranger := authority(t), authority(t)
	address := server(t, ca)
	client := issue(t, ca, "client")
	ours := clienttls.File{Setting: "CA", Path: ca.File}
	theirs := clienttls.File{Setting: "CA", Path: stranger.File}
	cert, key := clienttls.File{Setting: "CERT", Path: client.Cert}, clienttls.File{Setting: "KEY", Path: client.Key}
	for _, test := range []struct {
		name   string
		files  clienttls.Files
		called string // the name that is asked for
		want   string // what the server says; "" for no connection
	}{
		{"the right name", clienttls.Files{CA: ours}, "server.example", "anonymous"},
		{"another name", clienttls.Files{CA: ours}, "other.example", ""},
		{"another name, any will do", clienttls.Files{CA: ours, AnyName: true}, "other.example", "anonymous"},
		{"another authority, any name", clienttls.Files{CA: theirs, AnyName: true}, "server.example", ""},
		{"the system's authorities", clienttls.Files{}, "server.example", ""},
		{"the system's authorities, any name", clienttls.Files{AnyName: true}, "server.example", ""},
		{"a client pair", clienttls.Files{CA: ours, Cert: cert, Key: key}, "server.example", "client"},
		{"half a client pair", clienttls.Files{CA: ours, Cert: cert}, "server.example", "anonymous"},
	} {
		t.Run(test.name, func(t *testing.T) {
			config, err := test.files.Config()
			if err != nil {
				t.Fatal(err)
			}
			config.ServerName = test.called
			if got := ask(address, config); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func ask(address string, config *tls.Config) string {
	conn, err := tls.Dial("tcp", address, config)
	if err != nil {
		return ""
	}
	defer conn.Close()
	word := make([]byte, 100)
	n, _ := conn.Read(word)
	return string(word[:n])
}

func TestFaultyFilesAreNamed(t *testing.T) {
	empty := t.TempDir() + "/empty.pem"
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		files clienttls.Files
		want  string
	}{
		{"no such authority", clienttls.Files{CA: clienttls.File{Setting: "X_CACERT", Path: "/nowhere"}}, "X_CACERT: "},
		{"no certificate in it", clienttls.Files{CA: clienttls.File{Setting: "X_CACERT", Path: empty}}, "no certificate in it"},
		{"a broken pair", clienttls.Files{
			Cert: clienttls.File{Setting: "X_CERT", Path: empty}, Key: clienttls.File{Setting: "X_KEY", Path: empty},
		}, "X_CERT, X_KEY: "},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := test.files.Config(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

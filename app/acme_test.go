package app_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"stoa/app"
)

// pebble is a certificate authority for tests.
type pebble struct {
	directory, management string
	root                  string // PEM file of who vouches for both
	client                *http.Client
}

// startPebble starts one that finds every host on this machine, at a port.
func startPebble(t *testing.T, tlsPort int) *pebble {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(cache, "stoa", "pebble-v2.10.1") // as scripts/pebble.sh names it
	if _, err := os.Stat(program); err != nil {
		t.Fatal("Pebble is missing: run scripts/pebble.sh")
	}
	dir, ca := t.TempDir(), newAuthority(t)
	cert, key := ca.issue("localhost", x509.ExtKeyUsageServerAuth)
	writeFile(t, dir, "root.pem", ca.pem())
	writeFile(t, dir, "cert.pem", cert)
	writeFile(t, dir, "key.pem", key)
	directory, _ := freeAddress(t)
	management, _ := freeAddress(t)
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": directory, "managementListenAddress": management,
		"certificate": filepath.Join(dir, "cert.pem"), "privateKey": filepath.Join(dir, "key.pem"),
		"httpPort": 1, "tlsPort": tlsPort, "profiles": map[string]any{"default": map[string]any{"description": "a day", "validityPeriod": 86400}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "config.json", config)
	cmd := exec.CommandContext(t.Context(), program, "-config", filepath.Join(dir, "config.json"), "-dnsserver", nameServer(t))
	cmd.Env = []string{"PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0"}
	cmd.Stdout, cmd.Stderr = t.Output(), t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	trusted := x509.NewCertPool()
	trusted.AppendCertsFromPEM(ca.pem())
	p := &pebble{
		directory: "https://" + directory + "/dir", management: "https://" + management, root: filepath.Join(dir, "root.pem"),
		client: &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}},
	}
	eventually(t, "Pebble answers", func() bool {
		response, err := p.client.Get(p.directory)
		if err != nil {
			return false
		}
		response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
	return p
}

// roots is what its certificates are checked with.
func (p *pebble) roots(t *testing.T) *x509.CertPool {
	t.Helper()
	response, err := p.client.Get(p.management + "/roots/0")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	pem, err := io.ReadAll(response.Body)
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(pem) {
		t.Fatalf("got %q, %v, want a root", pem, err)
	}
	return pool
}

// nameServer says of every host that it is this machine, over TCP.
func nameServer(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				for answerName(conn) == nil {
				}
			}()
		}
	}()
	return listener.Addr().String()
}

func answerName(conn net.Conn) error {
	length := make([]byte, 2)
	if _, err := io.ReadFull(conn, length); err != nil {
		return err
	}
	packet := make([]byte, binary.BigEndian.Uint16(length))
	if _, err := io.ReadFull(conn, packet); err != nil {
		return err
	}
	var m dnsmessage.Message
	if err := m.Unpack(packet); err != nil {
		return err
	}
	m.Response, m.Additionals = true, nil
	if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1}, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
		}}
	}
	answer, err := m.Pack()
	if err != nil {
		return err
	}
	_, err = conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...))
	return err
}

func TestCertificatesAreFetched(t *testing.T) {
	t.Parallel()
	address, _ := freeAddress(t)
	where, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	authority := startPebble(t, where.Port)
	settings := pollSettings(t.TempDir())
	settings.Listen, settings.PublicURL = app.Address(address), app.PublicURL(fmt.Sprintf("https://polls.stoa.test:%d", where.Port))
	settings.ACMEHosts, settings.ACMEDirectory, settings.ACMERoot = []app.ACMEHost{"polls.stoa.test"}, authority.directory, authority.root
	p := startPolls(t, settings, nil)
	roots := authority.roots(t)
	get := func(host string) (*http.Response, error) {
		config := &tls.Config{RootCAs: roots, ServerName: host}
		client := &http.Client{Transport: &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true, DisableKeepAlives: true}}
		response, err := client.Get("https://" + p.address(web) + "/healthz")
		if err == nil {
			response.Body.Close()
		}
		return response, err
	}
	eventually(t, "the certificate is there before anybody asks", func() bool {
		kept, _ := os.ReadDir(filepath.Join(settings.Data, "acme"))
		for _, f := range kept {
			if f.Name() == "polls.stoa.test" {
				return true
			}
		}
		return false
	})
	response, err := get("polls.stoa.test")
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK || response.ProtoMajor != 2 || response.TLS.PeerCertificates[0].DNSNames[0] != "polls.stoa.test" {
		t.Errorf("got %s %s from %v, want 200 by HTTP/2 from polls.stoa.test", response.Proto, response.Status, response.TLS.PeerCertificates[0].DNSNames)
	}
	if _, err := get("other.stoa.test"); err == nil {
		t.Error("got an answer for a host that is not named")
	}
	info, err := os.Stat(filepath.Join(settings.Data, "acme"))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, %v, want a folder for this user alone", info.Mode(), err)
	}
}

func TestACMESettingsThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	fit := func() app.Settings {
		s := pollSettings(t.TempDir())
		s.PublicURL, s.ACMEHosts = "https://polls.stoa.test", []app.ACMEHost{"polls.stoa.test"}
		return s
	}
	for _, test := range []struct {
		name   string
		change func(*app.Settings)
		want   string
	}{
		{"another host", func(s *app.Settings) { s.PublicURL = "https://www.stoa.test" }, "public_url: want https:// and one of acme_hosts"},
		{"no TLS", func(s *app.Settings) { s.VideoPublicURL = "http://polls.stoa.test" }, "video_public_url: want https://"},
		{"files too", func(s *app.Settings) { s.TLSCert, s.TLSKey = "a.pem", "a.key" }, "acme_hosts: certificates are either fetched"},
		{"an address", func(s *app.Settings) { s.ACMEHosts = append(s.ACMEHosts, "127.0.0.1") }, "acme_hosts: want host names"},
		{"any host", func(s *app.Settings) { s.ACMEHosts = append(s.ACMEHosts, "*.stoa.test") }, "acme_hosts: want host names"},
		{"nothing to fetch", func(s *app.Settings) { s.ACMEHosts, s.ACMEEmail = nil, "a@stoa.test" }, "acme_email: it takes acme_hosts"},
	} {
		s := fit()
		test.change(&s)
		if _, err := app.ReadConfig(s, nil); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
	if _, err := app.ReadConfig(fit(), nil); err != nil {
		t.Errorf("got %v, want that they fit", err)
	}
	unreachable := fit()
	unreachable.PublicURL = ""
	p := newProcess(t)
	p.run(unreachable, nil, []string{"polls"})
	p.wait()
	if p.err == nil || !strings.Contains(p.err.Error(), "the port of web: certificates are fetched for names") {
		t.Errorf("got %v, want that nobody could reach it", p.err)
	}
}

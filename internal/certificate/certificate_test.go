package certificate_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"stoa/internal/certificate"
	"stoa/internal/certtest"
)

// pair is a pair in two folders that a test changes.
type pair struct {
	t         *testing.T
	authority *certtest.Authority
	cert, key string
}

func newPair(t *testing.T) *pair {
	t.Helper()
	authority, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &pair{t, authority, filepath.Join(t.TempDir(), "tls.crt"), filepath.Join(t.TempDir(), "tls.key")}
}

// put puts a new pair in place, for a name.
func (p *pair) put(name string) {
	p.t.Helper()
	cert, key, err := p.authority.Sign([]x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, name, name)
	if err != nil {
		p.t.Fatal(err)
	}
	p.write(p.key, key)
	p.write(p.cert, cert)
}

func (p *pair) write(file string, data []byte) {
	p.t.Helper()
	if err := os.WriteFile(file, data, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// open reads the pair and keeps it up to date until the test ends. Each reading
// comes out of the channel.
func (p *pair) open() (*tls.Config, <-chan error) {
	p.t.Helper()
	readings := make(chan error, 100)
	opened, err := certificate.Open(certificate.Options{
		Cert: p.cert, Key: p.key, Log: slog.New(slog.DiscardHandler), Read: func(err error) { readings <- err },
	})
	if err != nil {
		p.t.Fatal(err)
	}
	<-readings
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- opened.Run(ctx) }()
	p.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			p.t.Errorf("run: got %v, want nil", err)
		}
	})
	return opened.ServerConfig(), readings
}

// shown is the name in the certificate that a handshake would show.
func shown(t *testing.T, config *tls.Config) string {
	t.Helper()
	pair, err := config.GetCertificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return pair.Leaf.DNSNames[0]
}

// touchUntil writes again and again: the watch may not have begun at the first time.
func touchUntil(t *testing.T, readings <-chan error, put func(), want func(error) bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); {
		put()
		select {
		case err := <-readings:
			if want(err) {
				return
			}
		case <-time.After(time.Second):
		}
	}
	t.Fatal("the pair is not read again")
}

func TestPairInTwoFoldersIsReadAgain(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	p.put("one.test")
	config, readings := p.open()
	if got := shown(t, config); got != "one.test" {
		t.Errorf("got %s, want one.test", got)
	}
	touchUntil(t, readings, func() { p.put("two.test") }, func(err error) bool { return err == nil && shown(t, config) == "two.test" })
	touchUntil(t, readings, func() { p.write(p.key, []byte("broken")) }, func(err error) bool { return err != nil })
	if got := shown(t, config); got != "two.test" {
		t.Errorf("with a broken key: got %s, want that two.test stays", got)
	}
}

func TestOpenNeedsAPair(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	if _, err := certificate.Open(certificate.Options{Cert: p.cert, Key: p.key}); err == nil {
		t.Error("got no error for files that are not there")
	}
}

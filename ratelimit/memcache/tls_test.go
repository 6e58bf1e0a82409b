package memcache

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"stoa/ratelimit/memcache/memcachetest"
)

func secure(addr string, files memcachetest.Files) Config {
	return Config{HostPort: []string{addr}, TLS: true, CACert: files.CA, ClientCert: files.ClientCert, ClientKey: files.ClientKey}
}

func TestTLSChecksWhatItShould(t *testing.T) {
	s, files := memcachetest.StartTLS(t, "localhost")
	_, others := memcachetest.StartTLS(t, "localhost")
	byName := net.JoinHostPort("localhost", strconv.Itoa(s.Port))
	tests := []struct {
		name    string
		addr    string
		change  func(*Config)
		wantErr string // "" counts
	}{
		{"name of the certificate", byName, func(*Config) {}, ""},
		{"another name", s.Addr, func(*Config) {}, "cannot validate certificate for 127.0.0.1"},
		{"another name, not looked at", s.Addr, func(c *Config) { c.SkipHostname = true }, ""},
		{"unknown authority", byName, func(c *Config) { c.CACert = others.CA }, "unknown authority"},
		{"unknown authority, name not looked at", s.Addr, func(c *Config) { c.CACert, c.SkipHostname = others.CA, true }, "unknown authority"},
		{"the system's authorities only", byName, func(c *Config) { c.CACert = "" }, "unknown authority"},
		{"no client certificate", byName, func(c *Config) { c.ClientCert, c.ClientKey = "", "" }, "memcached"},
		{"half a client pair is none", byName, func(c *Config) { c.ClientKey = "" }, "memcached"},
		{"plain to TLS", byName, func(c *Config) { c.TLS = false }, "memcached"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := secure(tt.addr, files)
			tt.change(&cfg)
			failure := ""
			c := running(t, cfg, Options{Failed: func(err error) { failure = err.Error() }})
			add(t, c, "k", 1)
			if (failure == "") != (tt.wantErr == "") || !strings.Contains(failure, tt.wantErr) {
				t.Errorf("got %q, want %q", failure, tt.wantErr)
			}
		})
	}
}

func TestStalledTLSServerTimesOut(t *testing.T) {
	s, files := memcachetest.StartTLS(t, "localhost")
	cfg := secure(net.JoinHostPort("localhost", strconv.Itoa(s.Port)), files)
	s.Pause() // before the handshake
	var last error
	c := running(t, cfg, Options{Failed: func(err error) { last = err }})
	add(t, c, "k", 1)
	if !timedOut(last) {
		t.Errorf("got %v, want a time-out", last)
	}
	add(t, c, "k", 1)
	if last == nil || !strings.Contains(last.Error(), errResting.Error()) {
		t.Errorf("got %v, want %v", last, errResting)
	}
}

func TestNewWantsItsTLSFiles(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.pem")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		cfg  Config
		want string
	}{
		{"no authority", Config{CACert: filepath.Join(dir, "none")}, "MEMCACHE_TLS_CACERT"},
		{"empty authority", Config{CACert: empty}, "no certificate in it"},
		{"no client pair", Config{ClientCert: empty, ClientKey: empty}, "MEMCACHE_TLS_CLIENT_CERT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.cfg.TLS, tt.cfg.HostPort = true, []string{"localhost:11211"}
			if _, err := New(t.Context(), tt.cfg, Options{}); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

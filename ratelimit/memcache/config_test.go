package memcache_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/env"
	"stoa/ratelimit/memcache"
)

func TestConfigReadsItsVariables(t *testing.T) {
	tests := []struct {
		name    string
		environ map[string]string
		want    memcache.Config
	}{
		{"defaults", nil, memcache.Config{MaxIdleConns: 2}},
		{"all", map[string]string{
			"MEMCACHE_HOST_PORT": "a:1, b:2", "MEMCACHE_SRV": "_m._tcp.x", "MEMCACHE_SRV_REFRESH": "1m",
			"MEMCACHE_MAX_IDLE_CONNS": "64", "MEMCACHE_TLS": "true", "MEMCACHE_TLS_CLIENT_CERT": "c",
			"MEMCACHE_TLS_CLIENT_KEY": "k", "MEMCACHE_TLS_CACERT": "ca", "MEMCACHE_TLS_SKIP_HOSTNAME_VERIFICATION": "1",
		}, memcache.Config{
			HostPort: []string{"a:1", "b:2"}, SRV: "_m._tcp.x", SRVRefresh: memcache.Refresh(time.Minute),
			MaxIdleConns: 64, TLS: true, ClientCert: "c", ClientKey: "k", CACert: "ca", SkipHostname: true,
		}},
		{"plain seconds", map[string]string{"MEMCACHE_SRV_REFRESH": "90"},
			memcache.Config{MaxIdleConns: 2, SRVRefresh: memcache.Refresh(90 * time.Second)}},
		{"zero", map[string]string{"MEMCACHE_SRV_REFRESH": "0"}, memcache.Config{MaxIdleConns: 2}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got memcache.Config
			if err := env.Parse(&got, tt.environ); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("want(-) got(+):\n%s", diff)
			}
		})
	}
}

func TestRefreshRefusesOtherText(t *testing.T) {
	for _, text := range []string{"", "soon", "1.5", "10 s", "9223372036854775807"} {
		var r memcache.Refresh
		if err := r.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q: got no error", text)
		}
	}
}

func TestValidate(t *testing.T) {
	tests := []struct {
		name string
		cfg  memcache.Config
		want string // "" is valid
	}{
		{"hosts", memcache.Config{HostPort: []string{"cache-1:11211", "[::1]:11211", ":11211", "/run/memcached.sock"}}, ""},
		{"SRV", memcache.Config{SRV: "_memcache._tcp.example.com"}, ""},
		{"neither", memcache.Config{HostPort: []string{" "}},
			`MEMCACHE_HOST_PORT="": want a list of host:port, or MEMCACHE_SRV instead`},
		{"both", memcache.Config{HostPort: []string{"a:1"}, SRV: "_m._tcp.x"},
			`MEMCACHE_SRV="_m._tcp.x": want nothing while MEMCACHE_HOST_PORT is set`},
		{"hosts without port", memcache.Config{HostPort: []string{"a", "b:0", "c:1", "d:65536"}},
			`MEMCACHE_HOST_PORT="a": want host:port or the path of a socket, separated by commas` + "\n" +
				`MEMCACHE_HOST_PORT="b:0": want host:port or the path of a socket, separated by commas` + "\n" +
				`MEMCACHE_HOST_PORT="d:65536": want host:port or the path of a socket, separated by commas`},
		{"SRV without underscores", memcache.Config{SRV: "memcache.example.com"},
			`MEMCACHE_SRV="memcache.example.com": want a name such as _memcache._tcp.example.com`},
		{"everything at once", memcache.Config{SRV: "x", SRVRefresh: -1, MaxIdleConns: -1},
			`MEMCACHE_SRV="x": want a name such as _memcache._tcp.example.com` + "\n" +
				`MEMCACHE_SRV_REFRESH="-1ns": want 0 or more` + "\n" +
				`MEMCACHE_MAX_IDLE_CONNS="-1": want 0 or more`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if err := tt.cfg.Validate(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

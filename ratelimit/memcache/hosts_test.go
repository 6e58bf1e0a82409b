package memcache

import (
	"context"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gomemcache "github.com/bradfitz/gomemcache/memcache"

	"stoa/ratelimit/memcache/memcachetest"
)

const srvTest = "_memcache._tcp.caches.test"

func TestKeysAreSpreadAsByOtherClients(t *testing.T) {
	for _, hosts := range [][]string{
		{"127.0.0.1:1"},
		{"127.0.0.1:1", "127.0.0.1:2"},
		{"127.0.0.1:3", "127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3", "/run/memcached.sock"},
	} {
		var other gomemcache.ServerList
		if err := other.SetServers(hosts...); err != nil {
			t.Fatal(err)
		}
		c := idle(t, Config{HostPort: hosts}, Options{})
		for i := range 300 {
			name := strings.Repeat("k", i%250) + strconv.Itoa(i)
			want, err := other.PickServer(name)
			if err != nil {
				t.Fatal(err)
			}
			got := newKey(c.hosts.list(), []byte(name)).server
			if got.String() != want.String() || got.Network() != want.Network() {
				t.Fatalf("%d hosts, key %q: got %s, want %s", len(hosts), name, got, want)
			}
		}
	}
}

func TestSocket(t *testing.T) {
	path := t.TempDir() + "/memcached.sock"
	memcachetest.StartSocket(t, path)
	c := running(t, Config{HostPort: []string{path}}, Options{})
	add(t, c, "k", 1)
	if got := add(t, c, "k", 1); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
}

func TestSRVListsTheServersSorted(t *testing.T) {
	one, two := memcachetest.Start(t), memcachetest.Start(t)
	dns := startDNS(t)
	dns.setHost("cache.test.", [4]byte{127, 0, 0, 1})
	dns.set(srvTest+".", "cache.test.", max(one.Port, two.Port), min(one.Port, two.Port))
	c := running(t, Config{SRV: srvTest}, Options{Resolver: dns.resolver()})
	want := []string{"cache.test.:" + strconv.Itoa(one.Port), "cache.test.:" + strconv.Itoa(two.Port)}
	slices.Sort(want)
	if got := names(c); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	add(t, c, "k", 1)
	if got := add(t, c, "k", 1); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
}

func names(c *Counter) []string {
	var all []string
	for _, s := range c.hosts.list() {
		all = append(all, s.name)
	}
	return all
}

func TestSRVIsFollowed(t *testing.T) {
	one, two := memcachetest.Start(t), memcachetest.Start(t)
	dns := startDNS(t)
	dns.setHost("cache.test.", [4]byte{127, 0, 0, 1})
	dns.set(srvTest+".", "cache.test.", one.Port)
	var log lockedBuffer
	c := running(t, Config{SRV: srvTest, SRVRefresh: Refresh(20 * time.Millisecond)},
		Options{Resolver: dns.resolver(), Log: slog.New(slog.NewTextHandler(&log, nil))})
	add(t, c, "k", 3)

	dns.setFail(true)
	within(t, 5*time.Second, "a warning about the failed lookup", func() bool {
		return strings.Contains(log.String(), "level=WARN")
	})
	if got := add(t, c, "k", 1); got != 4 {
		t.Errorf("got %d, want 4: the old list was not kept", got)
	}

	dns.set(srvTest+".", "cache.test.", two.Port)
	dns.setFail(false)
	moved := "cache.test.:" + strconv.Itoa(two.Port)
	within(t, 5*time.Second, "the new list", func() bool { return slices.Equal(names(c), []string{moved}) })
	if got := add(t, c, "k", 1); got != 1 {
		t.Errorf("got %d from the new server, want 1", got)
	}
	if got := stored(t, two, "k"); got != "1" {
		t.Errorf("got %q on the new server, want 1", got)
	}
}

func TestServerThatStaysKeepsItsConnections(t *testing.T) {
	c := idle(t, Config{HostPort: []string{"a:1", "b:1"}}, Options{})
	a := c.hosts.list()[0]
	c.hosts.set([]string{"c:1", "a:1"})
	if got := c.hosts.list(); got[1] != a || got[0].name != "c:1" {
		t.Errorf("got %v, want the same a:1 in second place", names(c))
	}
}

func TestNewFailsWithoutItsFirstLookup(t *testing.T) {
	dns := startDNS(t)
	dns.set("_empty._tcp.caches.test.", "cache.test.")
	for _, name := range []string{"_unknown._tcp.caches.test", "_empty._tcp.caches.test"} {
		_, err := New(t.Context(), Config{SRV: name}, Options{Resolver: dns.resolver()})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want an error that names it", name, err)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(gone, Config{SRV: srvTest}, Options{Resolver: dns.resolver()}); err == nil {
		t.Error("got no error with an ended context")
	}
}

func TestHostThatMovesIsFollowed(t *testing.T) {
	s := memcachetest.Start(t)
	dns := startDNS(t)
	dns.setHost("cache.test.", [4]byte{127, 0, 0, 2}) // nobody there
	cfg := Config{HostPort: []string{net.JoinHostPort("cache.test", strconv.Itoa(s.Port))}}
	c := running(t, cfg, Options{Resolver: dns.resolver()})
	if got := add(t, c, "k", 1); got != 1 {
		t.Errorf("got %d, want 1", got)
	}
	dns.setHost("cache.test.", [4]byte{127, 0, 0, 1})
	within(t, 5*time.Second, "counting at the new address", func() bool { return add(t, c, "k", 1) == 2 })
}

package web_test

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"stoa/internal/web"
)

var trustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}

func requestBy(peer string, forwarded ...string) *http.Request {
	return &http.Request{RemoteAddr: peer, Header: http.Header{"X-Forwarded-For": forwarded}}
}

func TestClientAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name      string
		peer      string
		forwarded []string
		want      string
	}{
		{"the peer", "203.0.113.5:4711", nil, "203.0.113.5"},
		{"the peer over IPv6", "[2001:db8::1]:4711", nil, "2001:db8::1"},
		{"IPv4 in IPv6", "[::ffff:203.0.113.5]:4711", nil, "203.0.113.5"},
		{"a zone is dropped", "[fe80::1%eth0]:4711", nil, "fe80::1"},
		{"a stranger says what he likes", "203.0.113.5:1", []string{"198.51.100.1"}, "203.0.113.5"},
		{"a trusted proxy tells", "10.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"a trusted proxy, IPv4 in IPv6", "[::ffff:10.0.0.1]:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"a trusted proxy with a zone", "[fd00::1%eth0]:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"two trusted proxies", "10.0.0.1:1", []string{"198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"before the last stranger all is hearsay", "10.0.0.1:1", []string{"1.1.1.1, 198.51.100.1, 10.0.0.2"}, "198.51.100.1"},
		{"several lines", "10.0.0.1:1", []string{"1.1.1.1", "198.51.100.1, 10.0.0.3", "10.0.0.2"}, "198.51.100.1"},
		{"all are trusted", "10.0.0.1:1", []string{"10.0.0.3,10.0.0.2"}, "10.0.0.3"},
		{"no list", "10.0.0.1:1", nil, "10.0.0.1"},
		{"an empty line", "10.0.0.1:1", []string{""}, "10.0.0.1"},
		{"no address stops", "10.0.0.1:1", []string{"198.51.100.1, unknown, 10.0.0.2"}, "10.0.0.2"},
		{"nothing between commas stops", "10.0.0.1:1", []string{"198.51.100.1,,10.0.0.2"}, "10.0.0.2"},
		{"an obfuscated name stops", "10.0.0.1:1", []string{"_hidden"}, "10.0.0.1"},
		{"with a port", "10.0.0.1:1", []string{"198.51.100.1:80"}, "198.51.100.1"},
		{"IPv6 with a port", "10.0.0.1:1", []string{"[2001:db8::1]:80"}, "2001:db8::1"},
		{"IPv6 in brackets", "10.0.0.1:1", []string{"[2001:db8::1]"}, "2001:db8::1"},
		{"spaces and tabs", "10.0.0.1:1", []string{" \t198.51.100.1\t , 10.0.0.2 "}, "198.51.100.1"},
		{"a peer without a port", "203.0.113.5", nil, "203.0.113.5"},
		{"a socket of the machine", "@", []string{"198.51.100.1"}, "invalid IP"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := web.ClientAddress(requestBy(test.peer, test.forwarded...), trustedProxies).String(); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// Whatever the list holds, a stranger is known by its own address, and behind a
// proxy the answer is the proxy or something in the list.
func FuzzClientAddress(f *testing.F) {
	f.Add("1.1.1.1, 198.51.100.1, 10.0.0.2", "10.0.0.3")
	f.Add(",,[::1]:80,%", "[")
	f.Fuzz(func(t *testing.T, first, second string) {
		peer := netip.MustParseAddr("203.0.113.5")
		if got := web.ClientAddress(requestBy("203.0.113.5:1", first, second), trustedProxies); got != peer {
			t.Fatalf("a stranger: got %v, want %v", got, peer)
		}
		proxy := netip.MustParseAddr("10.0.0.1")
		got := web.ClientAddress(requestBy("10.0.0.1:1", first, second), trustedProxies)
		if got.Zone() != "" || got.Is4In6() || !got.IsValid() {
			t.Fatalf("got %v, want a plain address", got)
		}
		if got != proxy && !strings.ContainsAny(first+second, ".:") {
			t.Fatalf("got %v, want the proxy: no address in %q, %q", got, first, second)
		}
	})
}

package egress

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"stoa/internal/fault"
)

func networks(texts ...string) (prefixes []netip.Prefix) {
	for _, text := range texts {
		prefixes = append(prefixes, netip.MustParsePrefix(text))
	}
	return prefixes
}

func TestAddressesThatAreRefused(t *testing.T) {
	t.Parallel()
	d := New(nil)
	for _, address := range []string{
		"127.0.0.1:80", "127.255.255.254:80", "0.0.0.0:80", "10.1.2.3:443", "172.16.0.1:80", "172.31.255.255:80", "192.168.1.1:80",
		"169.254.169.254:80", "100.64.0.1:80", "100.100.100.200:80", "168.63.129.16:80", "192.0.0.192:80", "192.0.2.1:80", "198.18.0.1:80",
		"224.0.0.1:80", "255.255.255.255:80", "240.0.0.1:80",
		"[::1]:80", "[::]:80", "[::ffff:127.0.0.1]:80", "[::ffff:10.0.0.1]:80", "[::127.0.0.1]:80", "[fe80::1]:80", "[fe80::1%lo]:80",
		"[fc00::1]:80", "[fd00:ec2::254]:80", "[ff02::1]:80", "[64:ff9b::7f00:1]:80", "[64:ff9b:1::1]:80", "[2002:7f00:1::]:80", "[2001::1]:80", "[2001:db8::1]:80",
		"", "x", "127.0.0.1",
	} {
		if err := d.net.Control("tcp"+"46"[strings.Count(address, "["):strings.Count(address, "[")+1], address, nil); err != ErrRefused {
			t.Errorf("%s: got %v, want it refused", address, err)
		}
	}
	for _, address := range []string{"1.1.1.1:80", "93.184.215.14:8080", "[2606:4700:4700::1111]:443", "[::ffff:1.1.1.1]:80"} {
		if err := d.net.Control("tcp6", address, nil); err != nil {
			t.Errorf("%s: got %v, want it open", address, err)
		}
	}
	if err := d.net.Control("udp4", "1.1.1.1:80", nil); err != ErrRefused {
		t.Errorf("got %v of another protocol, want it refused", err)
	}
}

func TestAllowedNetworks(t *testing.T) {
	t.Parallel()
	d := New(networks("10.0.0.0/8", "fd00::/8"))
	for address, want := range map[string]error{
		"10.255.0.1:80": nil, "[::ffff:10.0.0.1]:80": nil, "[fd12::1]:80": nil, "1.1.1.1:80": nil,
		"127.0.0.1:80": ErrRefused, "[fc00::1]:80": ErrRefused, "169.254.169.254:80": ErrRefused,
	} {
		if got := d.net.Control("tcp4", address, nil); !errors.Is(got, want) {
			t.Errorf("%s: got %v, want %v", address, got, want)
		}
	}
}

// listen serves at an address of this machine.
func listen(t *testing.T, host string, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	l, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	_ = s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func port(s *httptest.Server) string {
	_, port, _ := net.SplitHostPort(s.Listener.Addr().String())
	return port
}

func TestSpellingsOfThisMachine(t *testing.T) {
	t.Parallel()
	var hits atomic.Int32
	s := listen(t, "127.0.0.1", func(http.ResponseWriter, *http.Request) { hits.Add(1) })
	d := New(nil)
	for _, host := range []string{
		"127.0.0.1", "localhost", "LOCALHOST.", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::1]", "[::]", "0.0.0.0", "0",
		"127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1.", "①②⑦.0.0.1",
	} {
		_, err := d.Fetch(t.Context(), "http://"+host+":"+port(s)+"/", 10)
		if _, told := errors.AsType[*fault.Error](err); !told {
			t.Errorf("%s: got %v, want an error that can be told", host, err)
		}
	}
	if n := hits.Load(); n > 0 {
		t.Errorf("got %d requests on this machine, want none", n)
	}
}

func TestRefusalTellsNothingOfTheNetwork(t *testing.T) {
	t.Parallel()
	_, err := New(nil).Fetch(t.Context(), "http://127.0.0.1:1/secret", 10)
	if err == nil || strings.Contains(err.Error(), "127.0.0.1") || !errors.Is(err, fault.Invalid) || !errors.Is(err, ErrRefused) {
		t.Errorf("got %v, want a refusal without the address", err)
	}
}

func TestNamesThatLeadInside(t *testing.T) {
	t.Parallel()
	var inside atomic.Int32
	secret := listen(t, "127.0.0.1", func(http.ResponseWriter, *http.Request) { inside.Add(1) })
	d := New(networks("127.0.0.2/32"))
	names := map[string][][4]byte{
		"inside.example.":  {{127, 0, 0, 1}},
		"several.example.": {{10, 0, 0, 1}, {127, 0, 0, 1}},
		"mixed.example.":   {{127, 0, 0, 1}, {127, 0, 0, 2}},
	}
	d.net.Resolver = &net.Resolver{PreferGo: true, Dial: nameServer(t, names)}
	for _, name := range []string{"inside.example", "several.example"} {
		if _, err := d.Fetch(t.Context(), "http://"+name+":"+port(secret)+"/", 10); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: got %v, want it refused", name, err)
		}
	}

	open := listen(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.Host) })
	f, err := d.Fetch(t.Context(), "http://mixed.example:"+port(open)+"/", 100)
	if err != nil {
		t.Fatalf("got %v, want the address that is allowed to be used", err)
	}
	defer func() { _ = f.Close() }()
	if got, _ := io.ReadAll(f); string(got) != "mixed.example:"+port(open) {
		t.Errorf("got %q, want the answer for the name", got)
	}
	if n := inside.Load(); n > 0 {
		t.Errorf("got %d requests inside, want none", n)
	}
}

// nameServer answers questions for A records over a connection in memory.
func nameServer(t *testing.T, names map[string][][4]byte) func(context.Context, string, string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer func() { _ = server.Close() }()
			question := make([]byte, 1024)
			_ = server.SetDeadline(time.Now().Add(time.Minute))
			n, err := server.Read(question[:2]) // a stream has the length first
			if err == nil && n == 2 {
				n, err = server.Read(question)
			}
			if err != nil {
				return
			}
			answer, err := answerTo(question[:n], names)
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = server.Write(append([]byte{byte(len(answer) >> 8), byte(len(answer))}, answer...))
		}()
		return client, nil
	}
}

func answerTo(question []byte, names map[string][][4]byte) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(question); err != nil {
		return nil, err
	}
	m.Response, m.Additionals = true, nil
	for _, q := range m.Questions {
		if q.Type != dnsmessage.TypeA {
			continue
		}
		for _, a := range names[q.Name.String()] {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1},
				Body:   &dnsmessage.AResource{A: a},
			})
		}
	}
	return m.Pack()
}

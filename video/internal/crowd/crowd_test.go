package crowd_test

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/video/internal/crowd"
)

func TestCrowdIsBoundedInAllAndByAddress(t *testing.T) {
	t.Parallel()
	c := crowd.New(3, 2, slog.New(slog.DiscardHandler))
	one, two := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")
	neighbour, mapped := netip.MustParseAddr("2001:db8::ffff:2"), netip.MustParseAddr("::ffff:192.0.2.1")
	enter := func(name string, address netip.Addr, want error) (leave func()) {
		t.Helper()
		leave, err := c.Enter(address)
		if !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
		return leave
	}
	leave := enter("the first", one, nil)
	enter("the second of an address", mapped, nil)
	enter("a third of one address", one, crowd.ErrAddress)
	enter("the first of another address", two, nil)
	enter("a fourth in all", neighbour, crowd.ErrAll)
	leave()
	enter("after one has left", neighbour, nil)
	enter("a fourth in all, of no address", netip.Addr{}, crowd.ErrAll)
}

func TestAddressesOfOneNetworkCountAsOne(t *testing.T) {
	t.Parallel()
	c := crowd.New(10, 1, slog.New(slog.DiscardHandler))
	for _, test := range []struct {
		peer string
		want error
	}{
		{"192.0.2.1:5", nil}, {"[::ffff:192.0.2.1]:7", crowd.ErrAddress}, {"192.0.2.2:5", nil},
		{"[2001:db8::1]:1", nil}, {"[2001:db8::ffff:1]:2", crowd.ErrAddress}, {"[2001:db8:0:1::1]:1", nil},
		{"[fe80::1%eth0]:1", nil}, {"[fe80::2%eth1]:1", crowd.ErrAddress},
	} {
		peer := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(test.peer))
		if _, err := c.Enter(crowd.Address(peer)); !errors.Is(err, test.want) {
			t.Errorf("%s: got %v, want %v", test.peer, err, test.want)
		}
	}
	for _, want := range []error{nil, crowd.ErrAddress} { // all that are none are one
		if _, err := c.Enter(crowd.Address(&net.UnixAddr{Name: "pipe"})); !errors.Is(err, want) {
			t.Errorf("got %v of no address, want %v", err, want)
		}
	}
}

func TestAFloodDoesNotFillTheLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		c := crowd.New(0, 1, slog.New(slog.NewTextHandler(&out, nil)))
		for range 40 {
			_, _ = c.Enter(netip.MustParseAddr("192.0.2.1"))
			time.Sleep(time.Second / 2)
		}
		got := out.String()
		if strings.Count(got, "\n") != 2 || !strings.Contains(got, "count=1 ") || !strings.Contains(got, "count=20 ") {
			t.Errorf("got log %s, want the first, and 20 ten seconds later", got)
		}
	})
}

// Package egress makes the requests to addresses that users give: films to fetch,
// webhooks to call, servers to send a broadcast on to. Behind such an address there may be a machine of the
// operator's own network, or this one, so every connection is checked:
//
//	dialer := egress.New(allow)
//	download, err := dialer.Fetch(ctx, "https://example.com/film.mp4", 30<<30)
//	client := dialer.Client(egress.ClientOptions{Timeout: 10 * time.Second})
//
// The check is of the address that a name has led to, at the moment of the
// connection: a name cannot lead elsewhere between the check and the use.
package egress

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"stoa/internal/fault"
)

// ErrRefused is what a request to a forbidden address ends with. It says the same
// whether something answers there or not.
var ErrRefused = fault.New(fault.Invalid, "this address is not in a public network: use another, or ask the operator to allow it")

// Limits of every request.
const (
	connectTimeout = 10 * time.Second
	answerTimeout  = 30 * time.Second // until the headers are there
	maxHeaders     = 64 << 10
)

// Dialer connects to public addresses only: not to this machine, to private,
// link-local and shared networks, multicast, addresses that hide an IPv4 address
// in IPv6, nor to where clouds keep their secrets.
type Dialer struct {
	net     net.Dialer
	fetcher *http.Client
}

// hidden are addresses in public networks that lead inside all the same: the
// metadata of a cloud.
var hidden = []netip.Prefix{netip.MustParsePrefix("168.63.129.16/32")}

// New makes the dialer of a process. The networks that are allowed are reached in
// addition.
func New(allow []netip.Prefix) *Dialer {
	var v4, v6 []netip.Prefix
	for _, network := range allow {
		if network.Addr().Is4() {
			v4 = append(v4, network)
		} else {
			v6 = append(v6, network)
		}
	}
	guard := ssrf.New(ssrf.WithAnyPort(), ssrf.WithAllowedV4Prefixes(v4...), ssrf.WithAllowedV6Prefixes(v6...),
		ssrf.WithDeniedV4Prefixes(hidden...))
	d := &Dialer{net: net.Dialer{Timeout: connectTimeout, Control: control(guard)}}
	d.fetcher = d.Client(ClientOptions{Redirects: maxRedirects})
	return d
}

// Dial connects to an address of TCP.
func (d *Dialer) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	return d.net.DialContext(ctx, network, address)
}

// control is asked for each connection, when the name has become an address.
func control(guard *ssrf.Guardian) func(network, address string, _ syscall.RawConn) error {
	return func(network, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil || network != "tcp4" && network != "tcp6" {
			return ErrRefused
		}
		if guard.SafeAddr(at.Addr().Unmap()) != nil {
			return ErrRefused
		}
		return nil
	}
}

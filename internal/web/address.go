package web

import (
	"iter"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// ClientAddress is where a request comes from: the peer, or, when the peer is a
// trusted proxy, the last hop of X-Forwarded-For that is not one. What stands
// before that hop, or before something that is no address, may have been written
// by anybody and is not looked at. The zero Addr is a peer without an address.
func ClientAddress(r *http.Request, trusted []netip.Prefix) netip.Addr {
	client, _ := parseHop(r.RemoteAddr)
	for hop := range hopsBackward(r.Header.Values("X-Forwarded-For")) {
		if !slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(client) }) {
			break
		}
		before, ok := parseHop(hop)
		if !ok {
			break
		}
		client = before
	}
	return client
}

// hopsBackward gives the parts of a list that may be spread over several lines,
// the last one first.
func hopsBackward(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range slices.Backward(lines) {
			for comma := len(line); comma >= 0; {
				line = line[:comma]
				comma = strings.LastIndexByte(line, ',')
				if !yield(line[comma+1:]) {
					return
				}
			}
		}
	}
}

// parseHop reads an address that some proxies write with a port or in brackets.
// An IPv4 address is told as one however it was written, and a zone is dropped:
// neither would be found in a prefix.
func parseHop(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	a, err := netip.ParseAddr(text)
	if err != nil {
		withPort, portErr := netip.ParseAddrPort(text)
		if a, err = withPort.Addr(), portErr; err != nil && strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
			a, err = netip.ParseAddr(text[1 : len(text)-1])
		}
	}
	if err != nil {
		return netip.Addr{}, false
	}
	return a.Unmap().WithZone(""), true
}

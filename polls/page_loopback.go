package polls

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
)

// otherLoopback is where a page is to be opened instead, when somebody on this
// machine has typed another name for it: localhost for 127.0.0.1, say. To the
// browser these are two sites, and pictures and uploads of one do not work on the
// other. Other hosts are left alone: a proxy may call us by any name.
func (s *Service) otherLoopback(r *http.Request) string {
	own, err := url.Parse(s.Origin)
	if err != nil || r.Host == own.Host || !loopback(r.Host) || !loopback(own.Host) {
		return ""
	}
	_, port, _ := net.SplitHostPort(r.Host)
	if port != own.Port() {
		return "" // a tunnel, whose other end is not ours to name
	}
	return s.Origin + r.URL.RequestURI()
}

func loopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}

package memcache

import (
	"cmp"
	"crypto/tls"
	"net"
	"strings"

	"stoa/internal/clienttls"
)

// tlsConfig returns nil when the servers speak plainly.
func (c Config) tlsConfig() (*tls.Config, error) {
	if !c.TLS {
		return nil, nil
	}
	return clienttls.Files{
		CA:      clienttls.File{Setting: "MEMCACHE_TLS_CACERT", Path: c.CACert},
		Cert:    clienttls.File{Setting: "MEMCACHE_TLS_CLIENT_CERT", Path: c.ClientCert},
		Key:     clienttls.File{Setting: "MEMCACHE_TLS_CLIENT_KEY", Path: c.ClientKey},
		AnyName: c.SkipHostname,
	}.Config()
}

// namedConfig asks for a certificate of the server's host. A socket, or a port
// without a host, is on this machine.
func namedConfig(config *tls.Config, server string) *tls.Config {
	host, _, _ := net.SplitHostPort(server)
	named := config.Clone()
	named.ServerName = cmp.Or(strings.TrimSuffix(host, "."), "localhost")
	return named
}

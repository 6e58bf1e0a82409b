package redis

import (
	"crypto/tls"

	"stoa/internal/clienttls"
)

// tlsConfig is for connections that speak TLS.
func (c Config) tlsConfig() (*tls.Config, error) {
	return clienttls.Files{
		CA:      clienttls.File{Setting: "REDIS_TLS_CACERT", Path: c.CACert},
		Cert:    clienttls.File{Setting: "REDIS_TLS_CLIENT_CERT", Path: c.ClientCert},
		Key:     clienttls.File{Setting: "REDIS_TLS_CLIENT_KEY", Path: c.ClientKey},
		AnyName: c.SkipHostname,
	}.Config()
}

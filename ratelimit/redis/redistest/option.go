package redistest

import (
	"fmt"
	"path/filepath"
)

// An Option changes how a server starts.
type Option func(*settings)

type settings struct {
	socket   bool
	tls      bool
	hosts    []string
	user     string
	password string
	lines    []string
	sentinel bool
	cluster  bool

	sentinelPassword string
}

// Socket makes the server listen on a unix socket only; Addr is its path.
func Socket() Option { return func(s *settings) { s.socket = true } }

// TLS makes the server speak TLS only and ask for a client certificate. Its own
// certificate is for the given hosts, or for 127.0.0.1 and localhost.
func TLS(hosts ...string) Option {
	return func(s *settings) { s.tls, s.hosts = true, hosts }
}

// Password makes clients name a password.
func Password(password string) Option { return func(s *settings) { s.password = password } }

// User lets in that user only.
func User(name, password string) Option {
	return func(s *settings) { s.user, s.password = name, password }
}

// SentinelPassword makes clients of the sentinel name a password.
func SentinelPassword(password string) Option {
	return func(s *settings) { s.sentinelPassword = password }
}

// Line adds a line to the configuration file.
func Line(format string, args ...any) Option {
	return func(s *settings) { s.lines = append(s.lines, fmt.Sprintf(format, args...)) }
}

func asSentinel(s *settings) { s.sentinel = true }

func asClusterNode(s *settings) { s.cluster = true }

// config is the text of the server's configuration file.
func (s *Server) config() []string {
	lines := []string{
		"bind 127.0.0.1",
		"dir " + s.dir,
		"logfile " + filepath.Join(s.dir, "log"),
		"daemonize no",
	}
	switch {
	case s.set.socket:
		lines = append(lines, "port 0", "unixsocket "+s.addr)
	case s.set.tls:
		lines = append(lines, "port 0", fmt.Sprintf("tls-port %d", s.port),
			"tls-cert-file "+s.Certs.ServerCert, "tls-key-file "+s.Certs.ServerKey, "tls-ca-cert-file "+s.Certs.CA)
	default:
		lines = append(lines, fmt.Sprintf("port %d", s.port))
	}
	if !s.set.sentinel {
		lines = append(lines, `save ""`, "appendonly no")
	}
	if s.set.cluster {
		lines = append(lines, "cluster-enabled yes", fmt.Sprintf("cluster-port %d", s.busPort),
			"cluster-config-file nodes.conf", "cluster-node-timeout 1000")
	}
	switch {
	case s.set.user != "":
		lines = append(lines, "user default off", fmt.Sprintf("user %s on >%s ~* &* +@all", s.set.user, s.set.password))
	case s.set.password != "":
		lines = append(lines, "requirepass "+s.set.password)
	}
	return append(lines, s.set.lines...)
}

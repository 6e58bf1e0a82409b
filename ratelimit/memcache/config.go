package memcache

import (
	"errors"
	"fmt"
	"math"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"

	"stoa/internal/env"
)

// Config is the settings of the memcache backend. Of HostPort and SRV exactly
// one is set.
type Config struct {
	// HostPort lists the servers: host:port, or the path of a socket. The same
	// list in another order finds other counters.
	HostPort []string `env:"MEMCACHE_HOST_PORT"`

	// SRV is the DNS name that lists the servers, looked up again every
	// SRVRefresh; 0 looks once.
	SRV        string  `env:"MEMCACHE_SRV"`
	SRVRefresh Refresh `env:"MEMCACHE_SRV_REFRESH"`

	// MaxIdleConns is how many connections to each server are kept in quiet
	// times; 0 means 2. More are opened as needed, and closed after a second in
	// which they were not.
	MaxIdleConns int `env:"MEMCACHE_MAX_IDLE_CONNS" envDefault:"2"`

	// TLS speaks TLS with the servers. CACert is trusted beside the system's
	// authorities; the client pair is used when both files are given.
	TLS        bool   `env:"MEMCACHE_TLS"`
	ClientCert string `env:"MEMCACHE_TLS_CLIENT_CERT"`
	ClientKey  string `env:"MEMCACHE_TLS_CLIENT_KEY"`
	CACert     string `env:"MEMCACHE_TLS_CACERT"`

	// SkipHostname takes a certificate of any name, from a trusted authority.
	SkipHostname bool `env:"MEMCACHE_TLS_SKIP_HOSTNAME_VERIFICATION"`
}

var srvName = regexp.MustCompile(`^_[^.]+\._[^.]+\..+$`)

// Validate tells everything that is wrong with the settings, a line each.
func (c Config) Validate() error {
	var faults []error
	fault := func(name, value, want string) {
		faults = append(faults, fmt.Errorf("%s: want %s", env.Show(name, value), want))
	}
	hosts := c.hosts()
	switch {
	case len(hosts) == 0 && c.SRV == "":
		fault("MEMCACHE_HOST_PORT", "", "a list of host:port, or MEMCACHE_SRV instead")
	case len(hosts) > 0 && c.SRV != "":
		fault("MEMCACHE_SRV", c.SRV, "nothing while MEMCACHE_HOST_PORT is set")
	}
	for _, host := range hosts {
		if !isSocket(host) && !isHostPort(host) {
			fault("MEMCACHE_HOST_PORT", host, "host:port or the path of a socket, separated by commas")
		}
	}
	if c.SRV != "" && !srvName.MatchString(c.SRV) {
		fault("MEMCACHE_SRV", c.SRV, "a name such as _memcache._tcp.example.com")
	}
	if c.SRVRefresh < 0 {
		fault("MEMCACHE_SRV_REFRESH", time.Duration(c.SRVRefresh).String(), "0 or more")
	}
	if c.MaxIdleConns < 0 {
		fault("MEMCACHE_MAX_IDLE_CONNS", strconv.Itoa(c.MaxIdleConns), "0 or more")
	}
	return errors.Join(faults...)
}

func (c Config) hosts() []string {
	var hosts []string
	for _, host := range c.HostPort {
		if host = strings.TrimSpace(host); host != "" {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

func isSocket(host string) bool { return strings.Contains(host, "/") }

func isHostPort(host string) bool {
	_, port, err := net.SplitHostPort(host)
	if err != nil {
		return false
	}
	number, err := net.LookupPort("tcp", port)
	return err == nil && number > 0
}

// Refresh is a duration, written with a unit (30s) or as plain seconds (30).
type Refresh time.Duration

// UnmarshalText reads either form.
func (r *Refresh) UnmarshalText(text []byte) error {
	if seconds, err := strconv.ParseInt(string(text), 10, 64); err == nil && seconds <= math.MaxInt64/int64(time.Second) {
		*r = Refresh(seconds) * Refresh(time.Second)
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return errors.New("want seconds, or a duration with a unit, such as 30s or 5m")
	}
	*r = Refresh(d)
	return nil
}

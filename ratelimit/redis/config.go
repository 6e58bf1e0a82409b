package redis

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"stoa/internal/env"
)

// Config is the settings of the redis backend.
type Config struct {
	Main Node `envPrefix:"REDIS_"`

	// PerSecond counts windows of exactly one second in a redis of their own.
	PerSecond     bool `env:"REDIS_PERSECOND"`
	PerSecondNode Node `envPrefix:"REDIS_PERSECOND_"`

	// Of both: CACert is trusted beside the system's authorities; the client
	// pair is used when both files are given.
	ClientCert string `env:"REDIS_TLS_CLIENT_CERT"`
	ClientKey  string `env:"REDIS_TLS_CLIENT_KEY"`
	CACert     string `env:"REDIS_TLS_CACERT"`

	// SkipHostname takes a certificate of any name, from a trusted authority.
	SkipHostname bool `env:"REDIS_TLS_SKIP_HOSTNAME_VERIFICATION"`

	// HealthCheckActiveConnection reports to Options.OnActive.
	HealthCheckActiveConnection bool `env:"REDIS_HEALTH_CHECK_ACTIVE_CONNECTION"`

	// The waits between attempts of Connect double from Initial to Max; it gives
	// up after MaxElapsed, never if that is 0.
	StartupInitial    time.Duration `env:"REDIS_STARTUP_INITIAL_INTERVAL" envDefault:"1s"`
	StartupMax        time.Duration `env:"REDIS_STARTUP_MAX_INTERVAL" envDefault:"30s"`
	StartupMaxElapsed time.Duration `env:"REDIS_STARTUP_MAX_ELAPSED_TIME" envDefault:"0"`
}

// Node is the settings of one redis. Fields left empty have the defaults of the
// tags, URL the socket of a local proxy.
type Node struct {
	Type       string `env:"TYPE" envDefault:"SINGLE"` // or SENTINEL or CLUSTER, in any letter case
	SocketType string `env:"SOCKET_TYPE" envDefault:"unix"`

	// URL is for SINGLE host:port, redis://user:password@host:port/db or the path
	// of a socket; for SENTINEL the master's name and the sentinels, for CLUSTER
	// some nodes, separated by commas.
	URL string `env:"URL"`

	// Auth and SentinelAuth are a password or user:password. Auth wins over URL.
	Auth         string `env:"AUTH"`
	SentinelAuth string `env:"SENTINEL_AUTH"`
	TLS          bool   `env:"TLS"`

	PoolSize       int           `env:"POOL_SIZE" envDefault:"10"` // connections to each server, at most
	Timeout        time.Duration `env:"TIMEOUT" envDefault:"10s"`  // of connecting, and of a whole call
	PipelineWindow time.Duration `env:"PIPELINE_WINDOW" envDefault:"0"`

	// PipelineLimit has no effect. Nor has ClusterParallelism: the nodes of a
	// call are always asked at the same time, each with one pipeline.
	PipelineLimit      int    `env:"PIPELINE_LIMIT" envDefault:"0"`
	ClusterParallelism int    `env:"CLUSTER_PIPELINE_PARALLELISM" envDefault:"1"`
	OnEmpty            string `env:"POOL_ON_EMPTY_BEHAVIOR" envDefault:"WAIT"` // nothing else
}

// The names of the two, as variables, statistics and logs have them.
type role struct {
	prefix, pool, url string
}

var (
	mainRole      = role{"REDIS_", "redis_pool", "/var/run/nutcracker/ratelimit.sock"}
	perSecondRole = role{"REDIS_PERSECOND_", "redis_per_second_pool", "/var/run/nutcracker/ratelimitpersecond.sock"}
)

func (n Node) withDefaults(r role) Node {
	n.Type = strings.ToUpper(cmp.Or(n.Type, "SINGLE"))
	n.SocketType = strings.ToLower(cmp.Or(n.SocketType, "unix"))
	n.URL = cmp.Or(n.URL, r.url)
	n.OnEmpty = strings.ToUpper(cmp.Or(n.OnEmpty, "WAIT"))
	n.PoolSize = cmp.Or(n.PoolSize, 10)
	n.Timeout = cmp.Or(n.Timeout, 10*time.Second)
	return n
}

// Validate tells everything that is wrong with the settings, a line each.
func (c Config) Validate() error {
	faults := c.Main.validate(mainRole)
	if c.PerSecond {
		faults = append(faults, c.PerSecondNode.validate(perSecondRole)...)
	}
	if c.Main.TLS || c.PerSecond && c.PerSecondNode.TLS {
		faults = append(faults, c.validateFiles()...)
	}
	for _, wait := range []struct {
		name string
		d    time.Duration
	}{
		{"REDIS_STARTUP_INITIAL_INTERVAL", c.StartupInitial},
		{"REDIS_STARTUP_MAX_INTERVAL", c.StartupMax},
		{"REDIS_STARTUP_MAX_ELAPSED_TIME", c.StartupMaxElapsed},
	} {
		if wait.d < 0 {
			faults = append(faults, fmt.Errorf("%s: want 0 or more", env.Show(wait.name, wait.d.String())))
		}
	}
	return errors.Join(faults...)
}

func (c Config) validateFiles() (faults []error) {
	for _, file := range []struct{ name, path string }{
		{"REDIS_TLS_CLIENT_CERT", c.ClientCert},
		{"REDIS_TLS_CLIENT_KEY", c.ClientKey},
		{"REDIS_TLS_CACERT", c.CACert},
	} {
		if file.path == "" {
			continue
		}
		if _, err := os.Stat(file.path); err != nil {
			faults = append(faults, fmt.Errorf("%s=%q: want a file that exists", file.name, file.path))
		}
	}
	return faults
}

func (n Node) validate(r role) (faults []error) {
	n = n.withDefaults(r)
	fault := func(name, value, want string) {
		faults = append(faults, fmt.Errorf("%s: want %s", env.Show(r.prefix+name, value), want))
	}
	switch n.Type {
	case "SINGLE", "SENTINEL", "CLUSTER":
		if _, err := n.target(r); err != nil {
			faults = append(faults, err)
		}
	default:
		fault("TYPE", n.Type, "SINGLE, SENTINEL or CLUSTER")
	}
	if n.SocketType != "tcp" && n.SocketType != "unix" {
		fault("SOCKET_TYPE", n.SocketType, "tcp or unix")
	}
	if n.OnEmpty != "WAIT" {
		fault("POOL_ON_EMPTY_BEHAVIOR", n.OnEmpty, "WAIT, no other is supported")
	}
	if n.PoolSize < 1 {
		fault("POOL_SIZE", strconv.Itoa(n.PoolSize), "1 or more")
	}
	if n.Timeout < 0 {
		fault("TIMEOUT", n.Timeout.String(), "more than 0")
	}
	if n.PipelineWindow < 0 {
		fault("PIPELINE_WINDOW", n.PipelineWindow.String(), "0 or more")
	}
	if n.ClusterParallelism < 0 {
		fault("CLUSTER_PIPELINE_PARALLELISM", strconv.Itoa(n.ClusterParallelism), "0 or more")
	}
	return faults
}

package stats

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// Config says where statistics go. The names are those of the environment.
type Config struct {
	Disable       bool `env:"DISABLE_STATS" envDefault:"false"`
	UseStatsD     bool `env:"USE_STATSD" envDefault:"true"`
	UseDogStatsD  bool `env:"USE_DOG_STATSD" envDefault:"false"`
	UsePrometheus bool `env:"USE_PROMETHEUS" envDefault:"false"`

	// StatsDHost and StatsDPort are for StatsD and DogStatsD, StatsDProtocol
	// (tcp or udp) for StatsD only: DogStatsD is always UDP.
	StatsDHost     string `env:"STATSD_HOST" envDefault:"localhost"`
	StatsDPort     int    `env:"STATSD_PORT" envDefault:"8125"`
	StatsDProtocol string `env:"STATSD_PROTOCOL" envDefault:"tcp"`

	PrometheusAddr string `env:"PROMETHEUS_ADDR" envDefault:":9090"`
	PrometheusPath string `env:"PROMETHEUS_PATH" envDefault:"/metrics"`
	// PrometheusMapper is a statsd_exporter mapping file in the place of the
	// default mapping.
	PrometheusMapper       string `env:"PROMETHEUS_MAPPER_YAML"`
	PrometheusMilliseconds bool   `env:"PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS" envDefault:"false"`

	ExtraTags     Tags          `env:"EXTRA_TAGS"`
	FlushInterval time.Duration `env:"STATS_FLUSH_INTERVAL" envDefault:"10s"`
}

// Sink is a way out for statistics. A process has exactly one.
type Sink string

// The sinks.
const (
	SinkNone       Sink = "none"
	SinkStatsD     Sink = "statsd"
	SinkDogStatsD  Sink = "dogstatsd"
	SinkPrometheus Sink = "prometheus"
	SinkJSONLines  Sink = "jsonlines"
)

// Sink is the one the configuration chooses.
func (c Config) Sink() Sink {
	switch {
	case c.Disable:
		return SinkNone
	case c.UseDogStatsD:
		return SinkDogStatsD
	case c.UseStatsD:
		return SinkStatsD
	case c.UsePrometheus:
		return SinkPrometheus
	}
	return SinkJSONLines
}

// StatsDAddress is host:port of the StatsD or DogStatsD server.
func (c Config) StatsDAddress() string {
	return net.JoinHostPort(c.StatsDHost, strconv.Itoa(c.StatsDPort))
}

// Validate lists everything that is wrong, one line each. Settings of sinks
// that are not chosen are not looked at.
func (c Config) Validate() error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	sink := c.Sink()
	if on := c.switchedOn(); len(on) > 1 && sink != SinkNone {
		fail("%s are true together: want at most one of USE_DOG_STATSD, USE_STATSD and USE_PROMETHEUS; USE_STATSD is on unless set to false", strings.Join(on, " and "))
	}
	if sink == SinkStatsD && c.StatsDProtocol != "tcp" && c.StatsDProtocol != "udp" {
		fail("STATSD_PROTOCOL=%q: want tcp or udp", c.StatsDProtocol)
	}
	if (sink == SinkStatsD || sink == SinkDogStatsD) && (c.StatsDPort < 1 || c.StatsDPort > 65535) {
		fail("STATSD_PORT=%d: want 1 to 65535", c.StatsDPort)
	}
	if sink == SinkPrometheus && !strings.HasPrefix(c.PrometheusPath, "/") {
		fail("PROMETHEUS_PATH=%q: want a path that begins with a slash", c.PrometheusPath)
	}
	if sink != SinkNone && c.FlushInterval <= 0 {
		fail("STATS_FLUSH_INTERVAL=%v: want a duration above 0, such as 10s", c.FlushInterval)
	}
	for _, t := range c.ExtraTags {
		if t.Key == "" || strings.ContainsAny(t.Key+t.Value, ":,\n") {
			fail("EXTRA_TAGS=%q: want key:value with exactly one colon, and commas between pairs", t.Key+":"+t.Value)
		}
	}
	return errors.Join(errs...)
}

func (c Config) switchedOn() []string {
	var on []string
	for _, s := range []struct {
		name string
		on   bool
	}{
		{"USE_DOG_STATSD", c.UseDogStatsD},
		{"USE_STATSD", c.UseStatsD},
		{"USE_PROMETHEUS", c.UsePrometheus},
	} {
		if s.on {
			on = append(on, s.name)
		}
	}
	return on
}

package xds

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"stoa/internal/env"
)

// Config says where rules come from. The variables' names are Envoy's rate limit
// service's. Empty texts and intervals of 0 have the defaults of the tags.
type Config struct {
	NodeID       string       `env:"CONFIG_GRPC_XDS_NODE_ID" envDefault:"default"`
	NodeMetadata NodeMetadata `env:"CONFIG_GRPC_XDS_NODE_METADATA"`

	ServerURL string            `env:"CONFIG_GRPC_XDS_SERVER_URL" envDefault:"localhost:18000"`
	Headers   map[string]string `env:"CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS"`

	// TLS speaks TLS with the server. CACert is trusted beside the system's
	// authorities; the client pair is used when both files are given; ServerName
	// is the name to check instead of the URL's host.
	TLS        bool   `env:"CONFIG_GRPC_XDS_SERVER_USE_TLS" envDefault:"false"`
	ClientCert string `env:"CONFIG_GRPC_XDS_CLIENT_TLS_CERT"`
	ClientKey  string `env:"CONFIG_GRPC_XDS_CLIENT_TLS_KEY"`
	CACert     string `env:"CONFIG_GRPC_XDS_SERVER_TLS_CACERT"`
	ServerName string `env:"CONFIG_GRPC_XDS_SERVER_TLS_SAN"`

	// ConnectRetry is the wait after a failed attempt to connect. After a lost
	// stream the waits double from BackoffInitial to BackoffMax, until a good set
	// comes. With BackoffJitter each wait is spread by ± BackoffFactor of itself.
	ConnectRetry   time.Duration `env:"CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL" envDefault:"3s"`
	BackoffInitial time.Duration `env:"XDS_CLIENT_BACKOFF_INITIAL_INTERVAL" envDefault:"10s"`
	BackoffMax     time.Duration `env:"XDS_CLIENT_BACKOFF_MAX_INTERVAL" envDefault:"60s"`
	BackoffFactor  float64       `env:"XDS_CLIENT_BACKOFF_RANDOM_FACTOR" envDefault:"0.5"`
	BackoffJitter  bool          `env:"XDS_CLIENT_BACKOFF_JITTER" envDefault:"true"`

	// MaxMessage is the largest set in bytes; 0 is gRPC's 4 MiB.
	MaxMessage int `env:"XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES" envDefault:"0"`
}

// NodeMetadata tells the server more about this client, written k=v,k=v.
type NodeMetadata map[string]string

// UnmarshalText reads the pairs, each cut at its first equals sign.
func (m *NodeMetadata) UnmarshalText(text []byte) error {
	pairs := NodeMetadata{}
	for pair := range strings.SplitSeq(string(text), ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		key, value, ok := strings.Cut(pair, "=")
		if key = strings.TrimSpace(key); !ok || key == "" {
			return errors.New("want pairs k=v separated by commas")
		}
		pairs[key] = strings.TrimSpace(value)
	}
	*m = pairs
	return nil
}

func (c Config) withDefaults() Config {
	c.NodeID = cmp.Or(c.NodeID, "default")
	c.ServerURL = cmp.Or(c.ServerURL, "localhost:18000")
	c.ConnectRetry = cmp.Or(c.ConnectRetry, 3*time.Second)
	c.BackoffInitial = cmp.Or(c.BackoffInitial, 10*time.Second)
	c.BackoffMax = cmp.Or(c.BackoffMax, time.Minute)
	return c
}

// Validate tells everything that is wrong with the settings, a line each.
func (c Config) Validate() error {
	var faults []error
	fault := func(name, value, want string) {
		faults = append(faults, fmt.Errorf("%s: want %s", env.Show(name, value), want))
	}
	if strings.HasPrefix(c.ServerURL, "http://") || strings.HasPrefix(c.ServerURL, "https://") {
		fault("CONFIG_GRPC_XDS_SERVER_URL", c.ServerURL, "host:port, and CONFIG_GRPC_XDS_SERVER_USE_TLS for TLS")
	}
	for _, wait := range []struct {
		name  string
		value time.Duration
	}{
		{"CONFIG_GRPC_XDS_SERVER_CONNECT_RETRY_INTERVAL", c.ConnectRetry},
		{"XDS_CLIENT_BACKOFF_INITIAL_INTERVAL", c.BackoffInitial},
		{"XDS_CLIENT_BACKOFF_MAX_INTERVAL", c.BackoffMax},
	} {
		if wait.value < 0 {
			fault(wait.name, wait.value.String(), "more than 0")
		}
	}
	if !(c.BackoffFactor >= 0 && c.BackoffFactor <= 1) {
		fault("XDS_CLIENT_BACKOFF_RANDOM_FACTOR", fmt.Sprint(c.BackoffFactor), "a number from 0 to 1")
	}
	if c.MaxMessage < 0 {
		fault("XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES", strconv.Itoa(c.MaxMessage), "0 or a number of bytes")
	}
	return errors.Join(slices.Concat(faults, c.headerFaults(), c.fileFaults())...)
}

var (
	headerName  = regexp.MustCompile(`^[0-9A-Za-z_.-]+$`)
	headerValue = regexp.MustCompile(`^[ -~]*$`)
)

// headerFaults shows no values: they may be tokens.
func (c Config) headerFaults() (faults []error) {
	for _, name := range slices.Sorted(maps.Keys(c.Headers)) {
		reserved := strings.HasPrefix(strings.ToLower(name), "grpc-")
		if reserved || !headerName.MatchString(name) || !headerValue.MatchString(c.Headers[name]) {
			faults = append(faults, fmt.Errorf("CONFIG_GRPC_XDS_CLIENT_ADDITIONAL_HEADERS: %q: want a header of letters, digits, - _ or . "+
				"that does not begin with grpc-, and a value of printable ASCII", name))
		}
	}
	return faults
}

func (c Config) fileFaults() (faults []error) {
	if !c.TLS {
		return nil
	}
	for _, file := range []struct{ name, path string }{
		{"CONFIG_GRPC_XDS_CLIENT_TLS_CERT", c.ClientCert},
		{"CONFIG_GRPC_XDS_CLIENT_TLS_KEY", c.ClientKey},
		{"CONFIG_GRPC_XDS_SERVER_TLS_CACERT", c.CACert},
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

package rls

import (
	"errors"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"stoa/internal/fault"
)

// Config is the addresses and answers of the service, under the names that the
// users of Envoy's rate limit service already set.
type Config struct {
	Host      string `env:"HOST" envDefault:"0.0.0.0"`
	Port      uint16 `env:"PORT" envDefault:"8080"`
	GRPCHost  string `env:"GRPC_HOST" envDefault:"0.0.0.0"`
	GRPCPort  uint16 `env:"GRPC_PORT" envDefault:"8081"`
	GRPCUDS   string `env:"GRPC_UDS"` // wins over host and port
	DebugHost string `env:"DEBUG_HOST" envDefault:"0.0.0.0"`
	DebugPort uint16 `env:"DEBUG_PORT" envDefault:"6070"`

	MaxConnectionAge      time.Duration `env:"GRPC_MAX_CONNECTION_AGE" envDefault:"24h"`
	MaxConnectionAgeGrace time.Duration `env:"GRPC_MAX_CONNECTION_AGE_GRACE" envDefault:"1h"`

	TLS          bool   `env:"GRPC_SERVER_USE_TLS"`
	TLSCert      string `env:"GRPC_SERVER_TLS_CERT"`
	TLSKey       string `env:"GRPC_SERVER_TLS_KEY"`
	ClientCACert string `env:"GRPC_CLIENT_TLS_CACERT"`
	ClientSAN    string `env:"GRPC_CLIENT_TLS_SAN"`

	Headers         bool   `env:"LIMIT_RESPONSE_HEADERS_ENABLED"`
	LimitHeader     string `env:"LIMIT_LIMIT_HEADER" envDefault:"RateLimit-Limit"`
	RemainingHeader string `env:"LIMIT_REMAINING_HEADER" envDefault:"RateLimit-Remaining"`
	ResetHeader     string `env:"LIMIT_RESET_HEADER" envDefault:"RateLimit-Reset"`
	DynamicMetadata bool   `env:"RESPONSE_DYNAMIC_METADATA"`

	HealthyWithConfig bool `env:"HEALTHY_WITH_AT_LEAST_ONE_CONFIG_LOADED"`
}

// Validate tells everything that is wrong with the settings.
func (c Config) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fault.New(fault.Invalid, format, args...)) }
	if c.TLS && (c.TLSCert == "" || c.TLSKey == "") {
		bad("GRPC_SERVER_USE_TLS: set GRPC_SERVER_TLS_CERT and GRPC_SERVER_TLS_KEY too")
	} else if c.TLS && filepath.Dir(c.TLSCert) != filepath.Dir(c.TLSKey) {
		bad("GRPC_SERVER_TLS_CERT, GRPC_SERVER_TLS_KEY: want both files in one directory, got %s and %s", c.TLSCert, c.TLSKey)
	}
	if c.MaxConnectionAge <= 0 {
		bad("GRPC_MAX_CONNECTION_AGE=%v: want a duration above 0", c.MaxConnectionAge)
	}
	if c.MaxConnectionAgeGrace < 0 {
		bad("GRPC_MAX_CONNECTION_AGE_GRACE=%v: want a duration of 0 or more", c.MaxConnectionAgeGrace)
	}
	return errors.Join(errs...)
}

// HTTPAddress, GRPCAddress and DebugAddress are where the ports listen.
func (c Config) HTTPAddress() string  { return address(c.Host, c.Port) }
func (c Config) GRPCAddress() string  { return address(c.GRPCHost, c.GRPCPort) }
func (c Config) DebugAddress() string { return address(c.DebugHost, c.DebugPort) }

func address(host string, port uint16) string {
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

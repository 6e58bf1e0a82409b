package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"stoa/internal/env"
	"stoa/ratelimit"
	"stoa/ratelimit/memcache"
	"stoa/ratelimit/memory"
	"stoa/ratelimit/redis"
	"stoa/ratelimit/rls"
	"stoa/ratelimit/rulefiles"
	"stoa/ratelimit/xds"
)

// RatelimitConfig is the rate limit service, under the names of the variables
// that users of Envoy's rate limit service set.
type RatelimitConfig struct {
	Decision   ratelimit.Config
	Edge       rls.Config
	Source     string `env:"CONFIG_TYPE" envDefault:"FILE"`
	ForceStart bool   `env:"FORCE_START_WITHOUT_INITIAL_CONFIG"`
	Merge      bool   `env:"MERGE_DOMAIN_CONFIG"`
	Files      rulefiles.Config
	XDS        xds.Config
	Jitter     int `env:"EXPIRATION_JITTER_MAX_SECONDS" envDefault:"300"`

	Backend  Backend         `env:"-"`
	Memory   memory.Config   `env:"-"`
	Redis    redis.Config    `env:"-"`
	Memcache memcache.Config `env:"-"`
}

// The values of CONFIG_TYPE.
const (
	sourceFile = "FILE"
	sourceXDS  = "GRPC_XDS_SOTW"
)

// Backend is where counters are, and why there.
type Backend struct{ Name, Reason string }

func (c *RatelimitConfig) read(environ map[string]string, data string) error {
	errs := []error{env.Parse(c, environ)}
	backend, err := chooseBackend(environ)
	errs = append(errs, err)
	c.Backend = backend
	switch backend.Name { // the settings of the others are not looked at
	case "memory":
		errs = append(errs, env.Parse(&c.Memory, environ))
	case "redis":
		errs = append(errs, env.Parse(&c.Redis, environ))
	case "memcache":
		errs = append(errs, env.Parse(&c.Memcache, environ))
	}
	c.Files = c.Files.Resolve(data)
	return errors.Join(errs...)
}

// counters is the settings of the backend that was chosen.
func (c *RatelimitConfig) counters() any {
	switch c.Backend.Name {
	case "redis":
		return c.Redis
	case "memcache":
		return c.Memcache
	}
	return c.Memory
}

// chooseBackend says where to count. Without BACKEND_TYPE any known REDIS_
// variable means redis, so that a fleet which relied on that default does not
// begin to count apart; names that Kubernetes makes of a service do not count.
func chooseBackend(environ map[string]string) (Backend, error) {
	named := strings.ToLower(environ["BACKEND_TYPE"])
	switch named {
	case "redis", "memcache", "memory":
		return Backend{named, "BACKEND_TYPE says so"}, nil
	case "":
	default:
		return Backend{}, fmt.Errorf("BACKEND_TYPE=%q: want redis, memcache or memory", environ["BACKEND_TYPE"])
	}
	if name := anySet(environ, env.Names(redis.Config{})); name != "" {
		return Backend{"redis", name + " is set"}, nil
	}
	if name := anySet(environ, []string{"MEMCACHE_HOST_PORT", "MEMCACHE_SRV"}); name != "" {
		return Backend{"memcache", name + " is set"}, nil
	}
	return Backend{"memory", "no backend is configured"}, nil
}

func anySet(environ map[string]string, names []string) string {
	slices.Sort(names)
	for _, name := range names {
		if environ[name] != "" {
			return name
		}
	}
	return ""
}

// Validate tells everything that is wrong with the settings.
func (c *RatelimitConfig) Validate() error {
	errs := []error{c.Decision.Validate(), c.Edge.Validate()}
	switch strings.ToUpper(c.Source) {
	case sourceFile:
	case sourceXDS:
		errs = append(errs, c.XDS.Validate())
	default:
		errs = append(errs, fmt.Errorf("CONFIG_TYPE=%q: want %s or %s", c.Source, sourceFile, sourceXDS))
	}
	if c.Jitter < 0 {
		errs = append(errs, fmt.Errorf("EXPIRATION_JITTER_MAX_SECONDS=%d: want 0 (off) or more", c.Jitter))
	}
	switch c.Backend.Name {
	case "memory":
		errs = append(errs, c.Memory.Validate())
	case "redis":
		errs = append(errs, c.Redis.Validate())
	case "memcache":
		errs = append(errs, c.Memcache.Validate())
	}
	return errors.Join(errs...)
}

// RuleFolder is where rule files are read from; "" when they come from elsewhere.
func (c Config) RuleFolder() string {
	if c.Ratelimit.Source != sourceFile {
		return ""
	}
	return c.Ratelimit.Files.Dir()
}

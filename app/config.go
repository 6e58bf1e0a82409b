package app

import (
	"errors"

	"stoa/internal/env"
	"stoa/internal/logs"
	"stoa/internal/stats"
	"stoa/internal/stats/dogstatsd"
	"stoa/internal/tracing"
)

// Config is the settings of a process.
type Config struct {
	Settings   Settings
	Log        logs.Config
	Stats      stats.Config
	Mogrifiers []dogstatsd.Mogrifier
	Tracing    tracing.Config
	Ratelimit  RatelimitConfig
	Bucket     bucketKeys     `env:"-"`
	GOGC       bool           // the operator paces the garbage collector
	Variables  []env.Variable `env:"-"` // that have names of their own, for operators to see
	Options    Options
}

// ReadConfig checks the settings together, and reads the variables that have names
// of their own: those of S3, and the rate limit service's, which also say where the
// logs and statistics of the process go. The error names everything that is wrong, a
// line each.
func ReadConfig(s Settings, environ map[string]string) (Config, error) {
	cfg := Config{Settings: s, GOGC: environ["GOGC"] != ""}
	shared := struct {
		Log     *logs.Config
		Stats   *stats.Config
		Tracing *tracing.Config
		Bucket  *bucketKeys
	}{&cfg.Log, &cfg.Stats, &cfg.Tracing, &cfg.Bucket}
	mogrifiers, mogrifierErr := dogstatsd.Mogrifiers(environ)
	cfg.Mogrifiers = mogrifiers
	errs := []error{env.Parse(&shared, environ), mogrifierErr}
	errs = append(errs, cfg.Ratelimit.read(environ, s.Data))
	if err := errors.Join(errs...); err != nil {
		return Config{}, err
	}
	for _, part := range []any{cfg.Ratelimit, cfg.Ratelimit.counters(), cfg.Log, cfg.Stats, cfg.Tracing, cfg.Bucket} {
		cfg.Variables = append(cfg.Variables, env.Variables(part, environ)...)
	}
	return cfg, errors.Join(s.check(), cfg.Stats.Validate(), cfg.Tracing.Validate(), cfg.Ratelimit.Validate())
}

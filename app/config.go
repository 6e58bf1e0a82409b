package app

import (
	"errors"

	"stoa/internal/env"
	"stoa/internal/logs"
	"stoa/internal/stats"
	"stoa/internal/stats/dogstatsd"
	"stoa/internal/tracing"
)

// Settings is what all services share. A name is the same as a flag, in the
// environment (STOA_DATA) and in stoa.yaml (data).
type Settings struct {
	Data string `help:"Folder for everything that is kept on this machine." default:"./stoa-data" type:"path"`
}

// Config is the settings of a process.
type Config struct {
	Settings   Settings
	Log        logs.Config
	Stats      stats.Config
	Mogrifiers []dogstatsd.Mogrifier
	Tracing    tracing.Config
	Ratelimit  RatelimitConfig
	GOGC       bool // the operator paces the garbage collector
	Options    Options
}

// ReadConfig reads the rate limit service's own variables, which also say where
// the logs and statistics of the process go. The error names every variable that
// is wrong, a line each.
func ReadConfig(s Settings, environ map[string]string) (Config, error) {
	cfg := Config{Settings: s, GOGC: environ["GOGC"] != ""}
	shared := struct {
		Log     *logs.Config
		Stats   *stats.Config
		Tracing *tracing.Config
	}{&cfg.Log, &cfg.Stats, &cfg.Tracing}
	mogrifiers, mogrifierErr := dogstatsd.Mogrifiers(environ)
	cfg.Mogrifiers = mogrifiers
	errs := []error{env.Parse(&shared, environ), mogrifierErr}
	errs = append(errs, cfg.Ratelimit.read(environ, s.Data))
	if err := errors.Join(errs...); err != nil {
		return Config{}, err
	}
	return cfg, errors.Join(cfg.Stats.Validate(), cfg.Tracing.Validate(), cfg.Ratelimit.Validate())
}

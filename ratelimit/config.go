package ratelimit

import (
	"errors"

	"stoa/internal/fault"
)

// Config is how decisions are made. The variables' names are Envoy's rate limit
// service's, so that its users keep their environment.
type Config struct {
	KeyPrefix       string  `env:"CACHE_KEY_PREFIX"`
	NearLimitRatio  float32 `env:"NEAR_LIMIT_RATIO" envDefault:"0.8"`
	StopIncrement   bool    `env:"STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT"`
	Shadow          bool    `env:"SHADOW_MODE"`
	Quota           bool    `env:"QUOTA_MODE"`
	KnownBytes      int     `env:"LOCAL_CACHE_SIZE_IN_BYTES"`
	MaxDynamicNames int     `env:"STATS_MAX_DYNAMIC_NAMES" envDefault:"10000"`
}

// Validate tells everything that is wrong with the settings.
func (c Config) Validate() error {
	var errs []error
	if !(c.NearLimitRatio >= 0 && c.NearLimitRatio <= 1) {
		errs = append(errs, fault.New(fault.Invalid, "NEAR_LIMIT_RATIO=%v: want a number from 0 to 1", c.NearLimitRatio))
	}
	if c.KnownBytes < 0 {
		errs = append(errs, fault.New(fault.Invalid, "LOCAL_CACHE_SIZE_IN_BYTES=%d: want 0 (off) or a number of bytes", c.KnownBytes))
	}
	if c.MaxDynamicNames < 0 {
		errs = append(errs, fault.New(fault.Invalid, "STATS_MAX_DYNAMIC_NAMES=%d: want 0 or more", c.MaxDynamicNames))
	}
	return errors.Join(errs...)
}

package test

import (
	"maps"
	"slices"

	caarlos "github.com/caarlos0/env/v11"

	"stoa/app"
	"stoa/ratelimit/memcache"
	"stoa/ratelimit/memory"
	"stoa/ratelimit/redis"
)

// hiddenVariables are read, but are no field of a Config.
var hiddenVariables = map[string]string{
	"BACKEND_TYPE": "", "USE_DOG_STATSD_MOGRIFIERS": "", "DOG_STATSD_MOGRIFIERS": "",
}

// variableDefaults is every variable of the rate limit service with its default.
func variableDefaults() map[string]string {
	all := maps.Clone(hiddenVariables)
	for _, config := range []any{new(app.Config), new(memory.Config), new(redis.Config), new(memcache.Config)} {
		fields, err := caarlos.GetFieldParamsWithOptions(config, caarlos.Options{Environment: map[string]string{}})
		if err != nil {
			panic(err)
		}
		for _, f := range fields {
			all[f.Key] = f.DefaultValue
		}
	}
	return all
}

func knownVariables() []string { return slices.Sorted(maps.Keys(variableDefaults())) }

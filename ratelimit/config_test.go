package ratelimit_test

import (
	"math"
	"testing"

	"stoa/ratelimit"
)

func TestConfigTellsEverythingThatIsWrong(t *testing.T) {
	for _, test := range []struct {
		name   string
		config ratelimit.Config
		want   string
	}{
		{"nothing", ratelimit.Config{NearLimitRatio: 0.8, KnownBytes: 1, MaxDynamicNames: 1}, ""},
		{"ratio 0 and 1", ratelimit.Config{NearLimitRatio: 1}, ""},
		{"ratio above 1", ratelimit.Config{NearLimitRatio: 1.5}, "NEAR_LIMIT_RATIO=1.5: want a number from 0 to 1"},
		{"ratio that is no number", ratelimit.Config{NearLimitRatio: float32(math.NaN())}, "NEAR_LIMIT_RATIO=NaN: want a number from 0 to 1"},
		{"all", ratelimit.Config{NearLimitRatio: -1, KnownBytes: -1, MaxDynamicNames: -1},
			"NEAR_LIMIT_RATIO=-1: want a number from 0 to 1\n" +
				"LOCAL_CACHE_SIZE_IN_BYTES=-1: want 0 (off) or a number of bytes\n" +
				"STATS_MAX_DYNAMIC_NAMES=-1: want 0 or more"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ""
			if err := test.config.Validate(); err != nil {
				got = err.Error()
			}
			equal(t, "error", got, test.want)
		})
	}
}

package ratelimit_test

import (
	"strings"
	"testing"

	"stoa/ratelimit"
)

func TestRulesWrittenForOneDomainHoldInAnother(t *testing.T) {
	t.Parallel()
	spec, err := ratelimit.ParseDomain("a.yaml", []byte("domain: room\ndescriptors: [{key: k, rate_limit: {unit: day, requests_per_unit: 1}}]"), "room", "room_staging")
	if err != nil || spec.Domain != "room_staging" || len(spec.Descriptors) != 1 {
		t.Errorf("got %+v, %v, want the rules in room_staging", spec, err)
	}
	for text, want := range map[string]string{
		"domain: shop":                    "a.yaml:1:1: want domain: room, got shop",
		"":                                "a.yaml:1:1: config file cannot have empty domain",
		"domain: [":                       "a.yaml:1:1: error loading config file",
		"domain: shop\ncolour: red":       "a.yaml:1:1: want domain: room, got shop\na.yaml:2:1: config error, unknown key 'colour'",
		"domain: room\ndescriptors: [{}]": "a.yaml:2:15: descriptor has empty key",
	} {
		_, err := ratelimit.ParseDomain("a.yaml", []byte(text), "room", "room")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

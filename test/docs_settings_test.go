package test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	caarlos "github.com/caarlos0/env/v11"

	"stoa/app"
	"stoa/internal/env"
	"stoa/ratelimit/memcache"
	"stoa/ratelimit/memory"
	"stoa/ratelimit/redis"
)

// hiddenVariables are read, but are no field of a Config.
var hiddenVariables = []string{"BACKEND_TYPE", "USE_DOG_STATSD_MOGRIFIERS", "DOG_STATSD_MOGRIFIERS"}

// configs is every struct that has variables of the rate limit service.
func configs() []any {
	return []any{new(app.Config), new(memory.Config), new(redis.Config), new(memcache.Config)}
}

// knownVariables is every variable of the rate limit service.
func knownVariables() []string {
	all := slices.Clone(hiddenVariables)
	for _, c := range configs() {
		all = append(all, env.Names(c)...)
	}
	return all
}

// defaults is what the variables are when nobody sets them; empty ones are left out.
func defaults(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, c := range configs() {
		fields, err := caarlos.GetFieldParamsWithOptions(c, caarlos.Options{Environment: map[string]string{}})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			if f.DefaultValue != "" {
				all[f.Key] = f.DefaultValue
			}
		}
	}
	return all
}

const settingsFile = "docs/ratelimit/settings.md"

// settingsRow is a row of a table: variable, type, default, what it does.
var settingsRow = regexp.MustCompile("(?m)^\\| `([A-Z0-9_]+)` \\| (\\w+) \\| (.*?) \\| (.+) \\|$")

func TestSettingsAreDocumented(t *testing.T) {
	documented := map[string]string{}
	for _, m := range settingsRow.FindAllStringSubmatch(string(readFile(t, settingsFile)), -1) {
		name, kind, value := m[1], m[2], strings.Trim(m[3], "`–")
		if _, twice := documented[name]; twice {
			t.Errorf("%s is there twice", name)
		}
		if value == zeroOf[kind] {
			value = "" // what a field without default is anyway
		}
		documented[name] = value
	}
	known := knownVariables()
	for _, name := range known {
		if _, ok := documented[name]; !ok {
			t.Errorf("%s does not have %s", settingsFile, name)
		}
	}
	usual := defaults(t)
	for _, name := range slices.Sorted(maps.Keys(documented)) {
		if !slices.Contains(known, name) {
			t.Errorf("%s has %s, which does not exist", settingsFile, name)
			continue
		}
		want := usual[name]
		if want == "false" || want == "0" {
			want = ""
		}
		if documented[name] != want {
			t.Errorf("%s: the default of %s is %q, not %q", settingsFile, name, usual[name], documented[name])
		}
	}
}

var zeroOf = map[string]string{"bool": "false", "int": "0", "duration": "0", "float": "0"}

// TestOtherDocumentsNameRealVariables looks at every word in code that looks like
// one of the service's variables.
func TestOtherDocumentsNameRealVariables(t *testing.T) {
	known := knownVariables()
	word := regexp.MustCompile("`((?:RUNTIME|REDIS|MEMCACHE|MEMORY|GRPC|DEBUG|LIMIT|CONFIG|STATSD?|USE|LOG|TRACING|PROMETHEUS|XDS|NEAR|LOCAL|CACHE|SHADOW|QUOTA|STOP|EXPIRATION|BACKEND|HEALTHY|FORCE|MERGE|DISABLE|EXTRA|RESPONSE)_[A-Z_]+)(?:=[^`]*)?`")
	for _, file := range treeFiles(t, "docs/ratelimit", ".md") {
		for _, m := range word.FindAllStringSubmatch(string(readFile(t, file)), -1) {
			if !slices.Contains(known, m[1]) && !slices.Contains(foreignVariables, m[1]) {
				t.Errorf("%s names %s, which does not exist", file, m[1])
			}
		}
	}
}

// foreignVariables are named in documents because they are not ours.
var foreignVariables = []string{"GRPC_XDS_SOTW", "REDIS_PORT", "REDIS_POOL_ON_EMPTY_WAIT_DURATION"}

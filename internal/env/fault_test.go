package env_test

import (
	"strings"
	"testing"

	"stoa/internal/env"
)

func TestParseNamesTheFaultyVariable(t *testing.T) {
	tests := []struct {
		name, variable, value string
		want                  string
	}{
		{"word for a number", "PORT", "abc", `PORT="abc": want a whole number`},
		{"fraction for a whole number", "PORT", "1.5", `PORT="1.5": want a whole number`},
		{"blank", "PORT", " ", `PORT=" ": want a whole number`},
		{"negative port", "DEBUG_PORT", "-1", `DEBUG_PORT="-1": want a whole number, 0 or more`},
		{"port too high", "DEBUG_PORT", "65536", `DEBUG_PORT="65536": want a whole number from 0 to 65535`},
		{"number too low", "PORT", "-9223372036854775809",
			`PORT="-9223372036854775809": want a whole number from -9223372036854775808 to 9223372036854775807`},
		{"bool", "USE_TLS", "yes", `USE_TLS="yes": want true or false`},
		{"fraction", "RATIO", "NaN", `RATIO="NaN": want a number`},
		{"duration without unit", "REDIS_TIMEOUT", "10",
			`REDIS_TIMEOUT="10": want a duration with a unit, such as 150ms, 10s or 2h`},
		{"the second of two like fields", "REDIS_PERSECOND_TIMEOUT", "10",
			`REDIS_PERSECOND_TIMEOUT="10": want a duration with a unit, such as 150ms, 10s or 2h`},
		{"item of a list", "WEIGHTS", "1,x", `WEIGHTS="1,x": want a list separated by commas, each item a whole number`},
		{"map without colon", "TAGS", "a", `TAGS="a": want pairs k:v separated by commas, with one colon in each`},
		{"map with two colons", "TAGS", "a:b:c", `TAGS="a:b:c": want pairs k:v separated by commas, with one colon in each`},
		{"text", "PEER", "here", `PEER="here": ParseAddr("here"): unable to parse IP`},
		{"secret number", "PIN_TOKEN", "hunter2", `PIN_TOKEN: want a whole number`},
		{"secret text", "SEAL_SECRET", "hunter2", `SEAL_SECRET: malformed value (not shown)`},
		{"line break", "PORT", "1\nPORT=2", `PORT="1\nPORT=2": want a whole number`},
		{"password in a URL", "PORT", "redis://me:hunter2@host", `PORT="redis://…@host": want a whole number`},
		{"very long", "PORT", strings.Repeat("x", 1000), `PORT="` + strings.Repeat("x", 200) + `…": want a whole number`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := env.Parse(&config{}, map[string]string{tt.variable: tt.value})
			if err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %v", err, tt.want)
			}
		})
	}
}

func TestParseGivesOneLineForEachFault(t *testing.T) {
	err := env.Parse(&config{}, map[string]string{
		"REDIS_TIMEOUT": "10", "PORT": "abc", "USE_TLS": "true", "PEER": "here",
	})
	want := []string{
		`PORT="abc": want a whole number`,
		`PEER="here": ParseAddr("here"): unable to parse IP`,
		`REDIS_TIMEOUT="10": want a duration with a unit, such as 150ms, 10s or 2h`,
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got\n%v\nwant\n%v", err, strings.Join(want, "\n"))
	}
}

func TestParseFaultInAListOfStructs(t *testing.T) {
	var got struct {
		Shards []redis `envPrefix:"SHARD"`
	}
	err := env.Parse(&got, map[string]string{"SHARD_0_TIMEOUT": "1s", "SHARD_1_TIMEOUT": "2"})
	want := `SHARD_1_TIMEOUT="2": want a duration with a unit, such as 150ms, 10s or 2h`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
}

func TestParseBlamesAFaultyDefault(t *testing.T) {
	var got struct {
		Port int `env:"PORT" envDefault:"abc"`
		Size int `env:"SIZE" envDefault:"1"`
	}
	err := env.Parse(&got, map[string]string{"SIZE": "2"})
	want := `the default of PORT="abc": want a whole number`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
}

func TestParseAsksForRequiredVariables(t *testing.T) {
	var got struct {
		Name string `env:"NAME,required"`
		Port int    `env:"PORT"`
	}
	err := env.Parse(&got, map[string]string{"NAME": "", "PORT": "x"})
	want := "PORT=\"x\": want a whole number\nNAME: must be set"
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %v", err, want)
	}
}

func TestParseWantsAPointerToAStruct(t *testing.T) {
	for _, into := range []any{nil, 7, config{}, (*config)(nil)} {
		if err := env.Parse(into, map[string]string{"PORT": "1"}); err == nil {
			t.Errorf("%T: got no error", into)
		}
	}
}

package env_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/env"
)

func TestVariablesTellWhatIsGiven(t *testing.T) {
	t.Parallel()
	var c struct {
		Port  int    `env:"PORT" envDefault:"8080"`
		Again int    `env:"PORT" envDefault:"8080"`
		Auth  string `env:"REDIS_AUTH"`
		Empty string `env:"EMPTY"`
		URL   string `env:"URL"`
	}
	got := env.Variables(&c, map[string]string{"REDIS_AUTH": "hush", "URL": "redis://me:hush@host/1", "EMPTY": "", "OTHER": "x"})
	want := []env.Variable{{"PORT", "8080", false}, {"REDIS_AUTH", "••••••", true}, {"EMPTY", "", false}, {"URL", "redis://••••••@host/1", true}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want(-) got(+):\n%s", diff)
	}
}

func TestMaskHidesWhatIsSecret(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, value, want string }{
		{"data", "./stoa-data", "./stoa-data"},
		{"secret", "", ""},
		{"secret", "x", "••••••"},
		{"srt_passphrase", "0123456789", "••••••"},
		{"db", "postgres://ann:pass@word@host/stoa?sslmode=require", "postgres://••••••@host/stoa?sslmode=require"},
		{"db", "postgres://host/stoa?user=ann&password=hush&sslmode=require", "postgres://host/stoa?user=ann&password=••••••&sslmode=require"},
	} {
		if got := env.Mask(c.name, c.value); got != c.want {
			t.Errorf("%s: got %q want %q", c.name, got, c.want)
		}
	}
}

package env_test

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/env"
)

type port uint16

type redis struct {
	Timeout time.Duration `env:"TIMEOUT" envDefault:"10s"`
	Auth    string        `env:"AUTH"`
	Plain   string        // asked for by the library as "REDIS_"
}

type config struct {
	Port    int               `env:"PORT" envDefault:"8080"`
	Debug   port              `env:"DEBUG_PORT" envDefault:"6070"`
	TLS     bool              `env:"USE_TLS"`
	Ratio   float64           `env:"RATIO" envDefault:"0.8"`
	Hosts   []string          `env:"HOSTS"`
	Weights []int             `env:"WEIGHTS"`
	Tags    map[string]string `env:"TAGS"`
	Nets    []netip.Prefix    `env:"NETS"`
	Peer    netip.Addr        `env:"PEER"`
	Limit   *int64            `env:"LIMIT"`
	Pin     int               `env:"PIN_TOKEN"`
	Seal    netip.Addr        `env:"SEAL_SECRET"`
	Redis   redis             `envPrefix:"REDIS_"`
	Second  redis             `envPrefix:"REDIS_PERSECOND_"`
	private int               //lint:ignore U1000 the parser must pass over it
}

// defaults is the config of an empty environment.
func defaults(change func(*config)) config {
	ten := redis{Timeout: 10 * time.Second}
	c := config{Port: 8080, Debug: 6070, Ratio: 0.8, Redis: ten, Second: ten}
	change(&c)
	return c
}

func TestParseReadsEachKindOfValue(t *testing.T) {
	tests := []struct {
		name    string
		environ map[string]string
		want    func(*config)
	}{
		{"nothing set", nil, func(c *config) {}},
		{"empty is not set", map[string]string{"PORT": "", "USE_TLS": "", "REDIS_TIMEOUT": ""}, func(c *config) {}},
		{"decimal", map[string]string{"PORT": "9090"}, func(c *config) { c.Port = 9090 }},
		{"hexadecimal", map[string]string{"PORT": "0x1F90"}, func(c *config) { c.Port = 8080 }},
		{"octal", map[string]string{"DEBUG_PORT": "0777"}, func(c *config) { c.Debug = 511 }},
		{"more than 32 bits", map[string]string{"PORT": "4294967296"}, func(c *config) { c.Port = 1 << 32 }},
		{"bool", map[string]string{"USE_TLS": "T"}, func(c *config) { c.TLS = true }},
		{"fraction", map[string]string{"RATIO": "0.25"}, func(c *config) { c.Ratio = 0.25 }},
		{"list with blanks", map[string]string{"HOSTS": " a:1 , b:2,"}, func(c *config) { c.Hosts = []string{"a:1", "b:2"} }},
		{"list of numbers", map[string]string{"WEIGHTS": "1, 0x10"}, func(c *config) { c.Weights = []int{1, 16} }},
		{"map", map[string]string{"TAGS": "a:1, b:2"}, func(c *config) { c.Tags = map[string]string{"a": "1", "b": "2"} }},
		{"map in brackets", map[string]string{"TAGS": "<a:1>,<b:2>"}, func(c *config) { c.Tags = map[string]string{"a": "1", "b": "2"} }},
		{"text", map[string]string{"PEER": "::1"}, func(c *config) { c.Peer = netip.MustParseAddr("::1") }},
		{"list of texts", map[string]string{"NETS": "10.0.0.0/8, ::/0"}, func(c *config) {
			c.Nets = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::/0")}
		}},
		{"optional", map[string]string{"LIMIT": "0x7"}, func(c *config) { c.Limit = new(int64(7)) }},
		{"prefixes apart", map[string]string{"REDIS_TIMEOUT": "1s", "REDIS_PERSECOND_TIMEOUT": "150us"}, func(c *config) {
			c.Redis.Timeout, c.Second.Timeout = time.Second, 150*time.Microsecond
		}},
		{"bare prefix is no variable", map[string]string{"REDIS_": "x", "": "y"}, func(c *config) {}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got config
			if err := env.Parse(&got, tt.environ); err != nil {
				t.Fatalf("got error %v", err)
			}
			if diff := cmp.Diff(defaults(tt.want), got, cmp.AllowUnexported(config{}), cmp.Comparer(same[netip.Addr]), cmp.Comparer(same[netip.Prefix])); diff != "" {
				t.Errorf("want(-) got(+):\n%s", diff)
			}
		})
	}
}

func same[T comparable](a, b T) bool { return a == b }

func TestParseIgnoresTheEnvironmentOfTheProcess(t *testing.T) {
	t.Setenv("PORT", "1")
	var got config
	if err := env.Parse(&got, nil); err != nil || got.Port != 8080 {
		t.Errorf("got port %d, error %v, want the default 8080", got.Port, err)
	}
}

func TestParseReadsListsOfStructs(t *testing.T) {
	var got struct {
		Shards []redis `envPrefix:"SHARD"`
	}
	err := env.Parse(&got, map[string]string{"SHARD_0_TIMEOUT": "1s", "SHARD_1_AUTH": "x"})
	if err != nil || len(got.Shards) != 2 || got.Shards[0].Timeout != time.Second || got.Shards[1].Auth != "x" {
		t.Errorf("got %+v, error %v", got, err)
	}
}

func TestNamesListsVariablesInOrder(t *testing.T) {
	want := []string{
		"PORT", "DEBUG_PORT", "USE_TLS", "RATIO", "HOSTS", "WEIGHTS", "TAGS", "NETS", "PEER", "LIMIT",
		"PIN_TOKEN", "SEAL_SECRET",
		"REDIS_TIMEOUT", "REDIS_AUTH", "REDIS_PERSECOND_TIMEOUT", "REDIS_PERSECOND_AUTH",
	}
	for _, v := range []any{config{}, &config{}} {
		if got := env.Names(v); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestNamesListsASharedVariableOnce(t *testing.T) {
	got := env.Names(struct {
		One, Other string `env:"SHARED"`
	}{})
	if !slices.Equal(got, []string{"SHARED"}) {
		t.Errorf("got %q, want SHARED once", got)
	}
}

func TestMapSplitsAtTheFirstEqualsSign(t *testing.T) {
	got := env.Map([]string{"A=1", "B=x=y", "C=", "broken"})
	want := map[string]string{"A": "1", "B": "x=y", "C": ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want(-) got(+):\n%s", diff)
	}
}

func FuzzParseDoesNotPanic(f *testing.F) {
	f.Add("PORT", "0x1F", "HOSTS", "a, b")
	f.Add("NETS", "10.0.0.0/8,", "TAGS", "<a:b>,:")
	f.Add("REDIS_", "x", "LIMIT", "-")
	f.Fuzz(func(t *testing.T, name1, value1, name2, value2 string) {
		var c config
		err := env.Parse(&c, map[string]string{name1: value1, name2: value2})
		if err != nil && err.Error() == "" {
			t.Error("got an error without text")
		}
	})
}

package stats_test

import (
	"strings"
	"testing"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
)

func parse(environ map[string]string) (stats.Config, error) {
	return env.ParseAsWithOptions[stats.Config](env.Options{Environment: environ})
}

func TestConfigDefaults(t *testing.T) {
	want := stats.Config{
		UseStatsD:      true,
		StatsDHost:     "localhost",
		StatsDPort:     8125,
		StatsDProtocol: "tcp",
		PrometheusAddr: ":9090",
		PrometheusPath: "/metrics",
		FlushInterval:  10 * time.Second,
	}
	empty := map[string]string{}
	for name := range strings.FieldsSeq(`DISABLE_STATS USE_STATSD USE_DOG_STATSD USE_PROMETHEUS STATSD_HOST STATSD_PORT
		STATSD_PROTOCOL PROMETHEUS_ADDR PROMETHEUS_PATH PROMETHEUS_MAPPER_YAML PROMETHEUS_RESPONSE_TIME_AS_MILLISECONDS
		EXTRA_TAGS STATS_FLUSH_INTERVAL`) {
		empty[name] = ""
	}
	for name, environ := range map[string]map[string]string{"not set": {}, "set to nothing": empty} {
		t.Run(name, func(t *testing.T) {
			got, err := parse(environ)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if err := got.Validate(); err != nil {
				t.Errorf("Validate: %v", err)
			}
			if got.StatsDAddress() != "localhost:8125" {
				t.Errorf("address: got %q", got.StatsDAddress())
			}
		})
	}
}

func TestConfigChoosesSink(t *testing.T) {
	for _, tt := range []struct {
		environ string
		want    stats.Sink
	}{
		{"", stats.SinkStatsD},
		{"USE_STATSD=1", stats.SinkStatsD},
		{"USE_STATSD=false", stats.SinkJSONLines},
		{"USE_STATSD=f USE_DOG_STATSD=T", stats.SinkDogStatsD},
		{"USE_STATSD=0 USE_PROMETHEUS=true", stats.SinkPrometheus},
		{"DISABLE_STATS=true", stats.SinkNone},
		{"DISABLE_STATS=true USE_PROMETHEUS=true", stats.SinkNone},
	} {
		t.Run(tt.environ, func(t *testing.T) {
			c, err := parse(env.ToMap(strings.Fields(tt.environ)))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Validate(); err != nil {
				t.Errorf("Validate: %v", err)
			}
			if got := c.Sink(); got != tt.want {
				t.Errorf("got %s want %s", got, tt.want)
			}
		})
	}
}

func TestConfigErrorsNameVariableAndWhatIsAllowed(t *testing.T) {
	for _, tt := range []struct {
		environ string
		want    []string
	}{
		{"USE_PROMETHEUS=true", []string{"USE_STATSD and USE_PROMETHEUS", "at most one", "unless set to false"}},
		{"USE_DOG_STATSD=true", []string{"USE_DOG_STATSD and USE_STATSD"}},
		{"USE_STATSD=false USE_DOG_STATSD=true USE_PROMETHEUS=true", []string{"USE_DOG_STATSD and USE_PROMETHEUS"}},
		{"STATSD_PROTOCOL=sctp", []string{"STATSD_PROTOCOL", `"sctp"`, "tcp or udp"}},
		{"STATSD_PORT=70000 STATS_FLUSH_INTERVAL=0s", []string{"STATSD_PORT", "65535", "STATS_FLUSH_INTERVAL", "above 0"}},
		{"USE_STATSD=false USE_PROMETHEUS=true PROMETHEUS_PATH=metrics", []string{"PROMETHEUS_PATH", "slash"}},
		{"EXTRA_TAGS=a:b,c", []string{"EXTRA_TAGS", `"c"`, "exactly one colon"}},
		{"EXTRA_TAGS=a:b:c", []string{"EXTRA_TAGS", `"a:b:c"`}},
		{"EXTRA_TAGS=:b", []string{"EXTRA_TAGS", `":b"`}},
		{"EXTRA_TAGS=a:b,", []string{"EXTRA_TAGS", `""`}},
	} {
		t.Run(tt.environ, func(t *testing.T) {
			c, err := parse(env.ToMap(strings.Fields(tt.environ)))
			if err == nil {
				err = c.Validate()
			}
			if err == nil {
				t.Fatal("got no error")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q want it to contain %q", err, want)
				}
			}
		})
	}
}

func TestExtraTagsAreSortedAndFreedOfBrackets(t *testing.T) {
	for _, tt := range []struct {
		text string
		want stats.Tags
	}{
		{"b:2,a:1", stats.Tags{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}},
		{"<k1:v1>,<k2:v2>", stats.Tags{{Key: "k1", Value: "v1"}, {Key: "k2", Value: "v2"}}},
		{" a:1 , b:2 ", stats.Tags{{Key: "a", Value: "1"}, {Key: "b", Value: "2"}}},
		{"a:1,a:2", stats.Tags{{Key: "a", Value: "2"}}},
		{"a:,b:2", stats.Tags{{Key: "b", Value: "2"}}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			c, err := parse(map[string]string{"EXTRA_TAGS": tt.text})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, c.ExtraTags); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTagsSetInCodeAreValidated(t *testing.T) {
	c := stats.Config{FlushInterval: time.Second, ExtraTags: stats.Tags{{Key: "a:b", Value: "c"}}}
	if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "EXTRA_TAGS") {
		t.Errorf("got %v want an error about EXTRA_TAGS", err)
	}
}

package prom_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"stoa/internal/stats"
	"stoa/internal/stats/prom"
)

func exporter(t *testing.T, o prom.Options) *prom.Exporter {
	t.Helper()
	e, err := prom.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// scrape asks over HTTP and reads the text back.
func scrape(t *testing.T, e *prom.Exporter) map[string]*dto.MetricFamily {
	t.Helper()
	server := httptest.NewServer(e.Handler())
	defer server.Close()
	resp, err := http.Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("got status %s: %s", resp.Status, body)
	}
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, body)
	}
	return families
}

// values are the counters and gauges of a scrape as name{label=value} → value,
// without those of the process itself.
func values(families map[string]*dto.MetricFamily) map[string]float64 {
	got := map[string]float64{}
	for name, family := range families {
		if strings.HasPrefix(name, "go_") || strings.HasPrefix(name, "process_") {
			continue
		}
		for _, m := range family.Metric {
			switch {
			case m.Counter != nil:
				got[name+labels(m)] = m.Counter.GetValue()
			case m.Gauge != nil:
				got[name+labels(m)] = m.Gauge.GetValue()
			}
		}
	}
	return got
}

func labels(m *dto.Metric) string {
	var pairs []string
	for _, l := range m.Label {
		pairs = append(pairs, l.GetName()+"="+l.GetValue())
	}
	return "{" + strings.Join(pairs, ",") + "}"
}

func mapperFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mapper.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDefaultMapping(t *testing.T) {
	for _, tt := range []struct{ statistic, want string }{
		{"ratelimit.service.rate_limit.shop.path.near_limit", "ratelimit_service_rate_limit_near_limit{domain=shop,key1=path}"},
		{"ratelimit.service.rate_limit.shop.path.over_limit", "ratelimit_service_rate_limit_over_limit{domain=shop,key1=path}"},
		{"ratelimit.service.rate_limit.shop.path.total_hits", "ratelimit_service_rate_limit_total_hits{domain=shop,key1=path}"},
		{"ratelimit.service.rate_limit.shop.path.within_limit", "ratelimit_service_rate_limit_within_limit{domain=shop,key1=path}"},
		{"ratelimit.service.rate_limit.shop.path.shadow_mode", "ratelimit_service_rate_limit_shadow_mode{domain=shop,key1=path}"},
		{"ratelimit.service.rate_limit.shop.path_/a*.user.total_hits", "ratelimit_service_rate_limit_total_hits{domain=shop,key1=path_/a*,key2=user}"},
		{"ratelimit.service.rate_limit.shop.a.b.c.d.shadow_mode", "ratelimit_service_rate_limit_shadow_mode{domain=shop,key1=a,key2=b}"},
		{"ratelimit.service.rate_limit.shop.ip_10.0.0.1.total_hits", "ratelimit_service_rate_limit_total_hits{domain=shop,key1=ip_10_0_0_1}"},
		{"ratelimit.service.rate_limit.shop.path.over_limit_with_local_cache", "ratelimit_service_rate_limit_shop_path_over_limit_with_local_cache{}"},
		{"ratelimit.service.rate_limit.shop.domain_not_found", "ratelimit_service_rate_limit_shop_domain_not_found{}"},
		{"ratelimit.service.call.should_rate_limit.redis_error", "ratelimit_service_should_rate_limit_error{err_type=redis_error}"},
		{"ratelimit_server.ShouldRateLimit.total_requests", "ratelimit_service_total_requests{grpc_method=ShouldRateLimit}"},
		{"ratelimit.service.config_load_success", "ratelimit_service_config_load_success{}"},
		{"ratelimit.service.config_load_error", "ratelimit_service_config_load_error{}"},
		{"runtime.load-attempts", "runtime_load_attempts{}"},
		{"9lives.ä--\xff.x", "_9lives______x{}"},
	} {
		t.Run(tt.statistic, func(t *testing.T) {
			r := stats.NewRegistry()
			r.Counter(tt.statistic).Add(3)
			got := values(scrape(t, exporter(t, prom.Options{Registry: r})))
			if diff := cmp.Diff(map[string]float64{tt.want: 3}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestScrapeIsOfTheMoment(t *testing.T) {
	r := stats.NewRegistry()
	e := exporter(t, prom.Options{Registry: r})
	c := r.Counter("hits", stats.Tag{Key: "code", Value: "success"})
	level := r.Gauge("level")
	for _, want := range []float64{0, 1, 2} { // there from its creation
		got := values(scrape(t, e))
		if diff := cmp.Diff(map[string]float64{"hits{code=success}": want, "level{}": -want}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		c.Add(1)
		level.Add(-1)
	}
}

func TestTypesAreRight(t *testing.T) {
	r := stats.NewRegistry()
	r.Counter("c")
	r.Gauge("g")
	r.Timer("t")
	got := map[string]dto.MetricType{}
	families := scrape(t, exporter(t, prom.Options{Registry: r}))
	for _, name := range []string{"c", "g", "t"} {
		got[name] = families[name].GetType()
	}
	want := map[string]dto.MetricType{"c": dto.MetricType_COUNTER, "g": dto.MetricType_GAUGE, "t": dto.MetricType_HISTOGRAM}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRulesOfDifferentDepthShareAMetric(t *testing.T) {
	r := stats.NewRegistry()
	for i, path := range []string{"a", "a.b", "a.b.c", "a.b.d", "a.b.d.e"} {
		r.Counter("ratelimit.service.rate_limit.shop." + path + ".total_hits").Add(1 << i)
	}
	got := values(scrape(t, exporter(t, prom.Options{Registry: r})))
	want := map[string]float64{
		"ratelimit_service_rate_limit_total_hits{domain=shop,key1=a}":        1,
		"ratelimit_service_rate_limit_total_hits{domain=shop,key1=a,key2=b}": 2 + 4 + 8 + 16,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestForgottenCounter(t *testing.T) {
	r := stats.NewRegistry()
	e := exporter(t, prom.Options{Registry: r})
	a := r.Counter("ratelimit.service.rate_limit.shop.a.b.one.total_hits")
	b := r.Counter("ratelimit.service.rate_limit.shop.a.b.two.total_hits")
	alone := r.Counter("alone.x")
	a.Add(10)
	b.Add(5)
	scrape(t, e)

	const sum = "ratelimit_service_rate_limit_total_hits{domain=shop,key1=a,key2=b}"
	r.Forget(a, alone)
	for range 2 {
		if diff := cmp.Diff(map[string]float64{sum: 15}, values(scrape(t, e))); diff != "" {
			t.Errorf("a sum must not fall (-want +got):\n%s", diff)
		}
	}
	r.Forget(b)
	if diff := cmp.Diff(map[string]float64{}, values(scrape(t, e))); diff != "" {
		t.Errorf("all forgotten (-want +got):\n%s", diff)
	}
	r.Gauge("alone_x").Set(1) // the name is free again, for any type
	r.Counter("ratelimit.service.rate_limit.shop.a.b.one.total_hits")
	if diff := cmp.Diff(map[string]float64{sum: 0, "alone_x{}": 1}, values(scrape(t, e))); diff != "" {
		t.Errorf("made again (-want +got):\n%s", diff)
	}
}

func TestCallersValuesCannotBreakAScrape(t *testing.T) {
	r := stats.NewRegistry()
	r.Counter("ratelimit.service.rate_limit.shop.path_\xff\xfe.total_hits").Add(1)
	r.Counter("ratelimit.service.rate_limit.shop.\"\\\n{}.total_hits").Add(2)
	r.Counter("ratelimit.service.rate_limit.shop..total_hits").Add(4) // an empty label is none
	r.Counter("ratelimit.service.rate_limit.total_hits").Add(8)       // its metric name, unmapped
	r.Counter("x", stats.Tag{Key: "le", Value: "1"}, stats.Tag{Key: "__name__", Value: "2"}, stats.Tag{Key: "a-b", Value: "3"}).Add(16)
	got := values(scrape(t, exporter(t, prom.Options{Registry: r})))
	want := map[string]float64{
		"ratelimit_service_rate_limit_total_hits{domain=shop,key1=path_\uFFFD}": 1,
		"ratelimit_service_rate_limit_total_hits{domain=shop,key1=\"\\_{}}":     2,
		"ratelimit_service_rate_limit_total_hits{domain=shop}":                  4,
		"ratelimit_service_rate_limit_total_hits{}":                             8,
		"x{_name__=2,a_b=3,exported_le=1}":                                      16,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOneMetricNameOfTwoTypesLosesOnlyTheSecond(t *testing.T) {
	r := stats.NewRegistry()
	var log bytes.Buffer
	e := exporter(t, prom.Options{Registry: r, Log: slog.New(slog.NewTextHandler(&log, nil))})
	r.Timer("took")
	r.Counter("took.count").Add(1)
	r.Counter("same.name").Add(2)
	r.Gauge("same_name").Set(3)
	r.Gauge("go.goroutines").Set(4)
	r.Timer("go.info")
	r.Counter("fine").Add(5)
	for range 2 {
		families := scrape(t, e)
		if diff := cmp.Diff(map[string]float64{"same_name{}": 2, "fine{}": 5}, values(families)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if families["took"].GetType() != dto.MetricType_HISTOGRAM || families["go_goroutines"] == nil {
			t.Error("the first with a name lost it")
		}
	}
	for _, name := range []string{"took.count", "same_name", "go.goroutines", "go.info"} {
		if n := strings.Count(log.String(), "statistic="+name+" "); n != 1 {
			t.Errorf("got %d log lines on %s want 1:\n%s", n, name, log.String())
		}
	}
}

func TestExtraTagsAreLabelsOfEveryMetric(t *testing.T) {
	r := stats.NewRegistry()
	r.Counter("ratelimit.service.rate_limit.shop.a.total_hits").Add(1)
	r.Counter("ratelimit.service.rate_limit.shop.a.deep.total_hits").Add(2)
	r.Counter("tagged", stats.Tag{Key: "env", Value: "own"})
	r.Timer("took")
	tags := stats.Tags{{Key: "env", Value: "test"}, {Key: "key2", Value: "deep"}, {Key: "team-name", Value: "x.y"}, {Key: "version", Value: "1"}}
	families := scrape(t, exporter(t, prom.Options{Registry: r, Tags: tags}))
	want := map[string]float64{
		// The tag key2 makes the two rules one series: they add up.
		"ratelimit_service_rate_limit_total_hits{domain=shop,env=test,key1=a,key2=deep,team_name=x.y,version=1}": 3,
		"tagged{env=own,key2=deep,team_name=x.y,version=1}":                                                      0,
	}
	if diff := cmp.Diff(want, values(families)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, family := range families {
		for _, m := range family.Metric {
			for _, label := range []string{"env=", "team_name=x.y", "version="} {
				if !strings.Contains(labels(m), label) {
					t.Errorf("%s%s lacks %s", name, labels(m), label)
				}
			}
		}
	}
	if families["go_goroutines"] == nil || families["process_cpu_seconds_total"] == nil {
		t.Error("metrics of the process are missing")
	}
	if got := labels(families["go_info"].Metric[0]); !strings.Contains(got, "version=go1.") {
		t.Errorf("go_info lost its own label: %s", got)
	}
}

func TestDurations(t *testing.T) {
	for _, tt := range []struct {
		name         string
		milliseconds bool
		want         float64
	}{
		{"in seconds", false, 0.0052504},
		{"in milliseconds", true, 5.2504},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := stats.NewRegistry()
			early := r.Timer("ratelimit_server.ShouldRateLimit.response_time", stats.Tag{Key: "code", Value: "success"})
			early.Observe(time.Hour) // before anybody asked
			e := exporter(t, prom.Options{Registry: r, Milliseconds: tt.milliseconds})
			r.Timer("ratelimit_server.Check.response_time")
			early.Observe(250400 * time.Nanosecond)
			early.Observe(5 * time.Millisecond)
			family := scrape(t, e)["ratelimit_service_response_time_seconds"]
			if len(family.GetMetric()) != 2 {
				t.Fatalf("got %d series want 2", len(family.GetMetric()))
			}
			m := family.Metric[1]
			if got, want := labels(m), "{code=success,grpc_method=ShouldRateLimit}"; got != want {
				t.Errorf("labels: got %s want %s", got, want)
			}
			if got := m.Histogram.GetSampleSum(); got < tt.want*0.999999 || got > tt.want*1.000001 {
				t.Errorf("sum: got %v want %v", got, tt.want)
			}
			if got := m.Histogram.GetSampleCount(); got != 2 {
				t.Errorf("count: got %d want 2", got)
			}
			var bounds []float64
			for _, b := range m.Histogram.Bucket {
				bounds = append(bounds, b.GetUpperBound())
			}
			if len(bounds) != 12 || bounds[0] != 0.005 || bounds[10] != 10 {
				t.Errorf("got buckets %v want the default ones", bounds)
			}
			if got := m.Histogram.Bucket[0].GetCumulativeCount(); !tt.milliseconds && got != 2 {
				t.Errorf("up to 5 ms: got %d want 2", got)
			}
		})
	}
}

func TestTimersOfOneSeriesShareItsHistogram(t *testing.T) {
	r := stats.NewRegistry()
	e := exporter(t, prom.Options{Registry: r})
	r.Timer("a.b").Observe(time.Second)
	r.Timer("a_b").Observe(time.Second)
	if got := scrape(t, e)["a_b"].Metric[0].Histogram.GetSampleCount(); got != 2 {
		t.Errorf("got %d want 2", got)
	}
}

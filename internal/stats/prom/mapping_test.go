package prom_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"

	"stoa/internal/stats"
	"stoa/internal/stats/prom"
)

func TestMapperFileTakesThePlaceOfTheDefault(t *testing.T) {
	file := mapperFile(t, `
mappings:
  - match: ratelimit.service.*.*
    name: service_$1
    help: from a file
    labels: {what: $2, code: mapped}
    scale: 0.5
  - match: 'drop\..*'
    match_type: regex
    name: dropped
    action: drop
  - match: honor.*
    name: honored
    honor_labels: true
    labels: {code: mapped, odd: $1}
`)
	r := stats.NewRegistry()
	code := stats.Tag{Key: "code", Value: "own"}
	r.Counter("ratelimit.service.a/b.c", code).Add(3)
	r.Counter("ratelimit.service.a b.c", code).Add(4) // the same once escaped
	r.Counter("drop.me").Add(1)
	r.Timer("drop.timer").Observe(1)
	r.Counter("honor.x", code).Add(1)
	r.Counter("ratelimit_server.M.total_requests").Add(1)
	families := scrape(t, exporter(t, prom.Options{Registry: r, MapperFile: file}))
	want := map[string]float64{
		"service_a_b{code=mapped,what=c}":     3.5,
		"honored{code=own,odd=x}":             1,
		"ratelimit_server_M_total_requests{}": 1,
	}
	if diff := cmp.Diff(want, values(families)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := families["service_a_b"].GetHelp(); got != "from a file" {
		t.Errorf("help: got %q", got)
	}
	if families["dropped"] != nil || families["drop_timer"] != nil {
		t.Error("a dropped statistic shows")
	}
}

func TestMapperFileChoosesObservers(t *testing.T) {
	file := mapperFile(t, `
defaults:
  observer_type: histogram
  histogram_options: {buckets: [1, 2, 3]}
mappings:
  - match: summary.*
    name: a_summary
    observer_type: summary
    summary_options:
      quantiles: [{quantile: 0.25, error: 0.01}]
  - match: own.*
    name: own_buckets
    histogram_options: {buckets: [7]}
`)
	r := stats.NewRegistry()
	e := exporter(t, prom.Options{Registry: r, MapperFile: file})
	for _, name := range []string{"summary.x", "own.x", "other"} {
		r.Timer(name).Observe(1500 * time.Millisecond)
	}
	families := scrape(t, e)
	summary := families["a_summary"].GetMetric()[0].GetSummary()
	if summary.GetSampleSum() != 1.5 || summary.GetQuantile()[0].GetQuantile() != 0.25 || summary.GetQuantile()[0].GetValue() != 1.5 {
		t.Errorf("summary: got %v", summary)
	}
	if got := bounds(families["own_buckets"]); got[0] != 7 {
		t.Errorf("own buckets: got %v", got)
	}
	if got := bounds(families["other"]); len(got) != 4 || got[0] != 1 {
		t.Errorf("default buckets: got %v", got)
	}
}

func bounds(family *dto.MetricFamily) []float64 {
	var all []float64
	for _, b := range family.GetMetric()[0].GetHistogram().GetBucket() {
		all = append(all, b.GetUpperBound())
	}
	return all
}

func TestMapperFileMayUseFormerWords(t *testing.T) {
	file := mapperFile(t, `
defaults:
  timer_type: summary
  quantiles: [{quantile: 0.75, error: 0.01}]
mappings:
  - match: a.*
    name: former_histogram
    timer_type: histogram
    buckets: [4, 5]
    match_metric_type: timer
  - match: b.*
    name: both
    timer_type: summary
    observer_type: histogram
    buckets: [4]
    histogram_options: {buckets: [8]}
`)
	r := stats.NewRegistry()
	e := exporter(t, prom.Options{Registry: r, MapperFile: file})
	for _, name := range []string{"a.x", "b.x", "other"} {
		r.Timer(name).Observe(time.Second)
	}
	families := scrape(t, e)
	if got := bounds(families["former_histogram"]); len(got) != 3 || got[0] != 4 {
		t.Errorf("former histogram: got buckets %v", got)
	}
	if got := bounds(families["both"]); len(got) != 2 || got[0] != 8 {
		t.Errorf("the present words win: got buckets %v", got)
	}
	if got := families["other"].GetMetric()[0].GetSummary().GetQuantile(); len(got) != 1 || got[0].GetQuantile() != 0.75 {
		t.Errorf("default quantiles: got %v", got)
	}
}

func TestBrokenMapperFileIsAnErrorWithItsName(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"not YAML", "mappings: [", "did not find"},
		{"unknown field", "mappings:\n- match: a\n  name: b\n  colour: red\n", "line 4"},
		{"no name", "mappings:\n- match: a\n", "name"},
		{"bad match", "mappings:\n- match: 'a..b'\n  name: b\n", "a..b"},
		{"bad regex", "mappings:\n- match: '('\n  match_type: regex\n  name: b\n", "invalid regex"},
		{"bad action", "mappings:\n- match: a\n  name: b\n  action: throw\n", "throw"},
		{"short label", "mappings:\n- match: a\n  name: b\n  labels: {x: y}\n", "label"},
		{"buckets out of order", "mappings:\n- match: a\n  name: b\n  observer_type: histogram\n  histogram_options: {buckets: [2, 1]}\n", "increasing"},
		{"default buckets out of order", "defaults:\n  observer_type: histogram\n  histogram_options: {buckets: [2, 1]}\n", "increasing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			file := mapperFile(t, tt.text)
			_, err := prom.New(prom.Options{Registry: stats.NewRegistry(), MapperFile: file})
			if err == nil {
				t.Fatal("got no error")
			}
			for _, want := range []string{"PROMETHEUS_MAPPER_YAML", file, tt.want} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q want it to contain %q", err, want)
				}
			}
		})
	}
	_, err := prom.New(prom.Options{Registry: stats.NewRegistry(), MapperFile: "/no/such/file"})
	if err == nil || !strings.Contains(err.Error(), "/no/such/file") {
		t.Errorf("missing file: got %v", err)
	}
}

func TestEmptyMapperFileMapsNothing(t *testing.T) {
	r := stats.NewRegistry()
	r.Counter("ratelimit_server.M.total_requests").Add(1)
	got := values(scrape(t, exporter(t, prom.Options{Registry: r, MapperFile: mapperFile(t, "")})))
	if diff := cmp.Diff(map[string]float64{"ratelimit_server_M_total_requests{}": 1}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

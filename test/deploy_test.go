package test

import (
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"go.yaml.in/yaml/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"stoa/ratelimit/memcache/memcachetest"
	"stoa/ratelimit/redis/redistest"
)

// deployed is the dashboards with their alerts: of the rate limit service alone, and of
// everything.
var deployed = []struct{ dashboard, alerts, prefix, variable string }{
	{"deploy/grafana/stoa-ratelimit.json", "deploy/prometheus/stoa-ratelimit.rules.yml", "StoaRatelimit", "domain"},
	{"deploy/grafana/stoa.json", "deploy/prometheus/stoa.rules.yml", "Stoa", "environment"},
}

// TestDeployedMetricsExist runs the service on each backend and looks for every
// metric and label that the dashboard and the alerts use.
func TestDeployedMetricsExist(t *testing.T) {
	redis, perSecond, memcached := redistest.Start(t), redistest.Start(t), memcachetest.Start(t)
	exported := promNames{"up": {"instance": true, "job": true}}
	for _, environ := range []map[string]string{
		{"BACKEND_TYPE": "memory"},
		{
			"BACKEND_TYPE": "redis", "REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": redis.Addr(), "LOCAL_CACHE_SIZE_IN_BYTES": "1000000",
			"REDIS_PERSECOND": "true", "REDIS_PERSECOND_SOCKET_TYPE": "tcp", "REDIS_PERSECOND_URL": perSecond.Addr(),
		},
		{"BACKEND_TYPE": "memcache", "MEMCACHE_HOST_PORT": memcached.Addr},
	} {
		t.Run(environ["BACKEND_TYPE"], func(t *testing.T) {
			a := startApp(t, string(readFile(t, "deploy/examples/shop.yaml")), environ)
			a.askBoth(t)
			exported.add(t, a.debug(t, "/metrics"))
		})
	}

	t.Run("all rooms", func(t *testing.T) {
		a := startRooms(t)
		for _, room := range []string{"web", "video"} {
			if r, err := http.Get("http://" + a.addresses[room] + "/readyz"); err != nil || readAll(t, r.Body) != "OK" {
				t.Fatalf("%s is not ready: %v", room, err)
			}
		}
		exported.add(t, a.debug(t, "/metrics"))
	})

	if t.Failed() {
		return // everything would be missing
	}
	for _, files := range deployed {
		for _, group := range readAlerts(t, files.alerts).Groups {
			for _, rule := range group.Rules {
				uses := readExpression(rule.Expr)
				exported.check(t, rule.name(), uses)
				if rule.Record != "" {
					exported.record(rule.Record, uses)
				}
			}
		}
		for _, q := range readDashboard(t, files.dashboard).queries(t) {
			exported.check(t, q.where, q.uses)
		}
	}
}

// askBoth sends decisions by gRPC and by HTTP, some of them over the limit.
func (a *runningApp) askBoth(t *testing.T) {
	t.Helper()
	conn, err := grpc.NewClient(a.addresses["grpc"], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	client := rlsv3.NewRateLimitServiceClient(conn)
	entry := func(key, value string) *rlcommonv3.RateLimitDescriptor_Entry {
		return &rlcommonv3.RateLimitDescriptor_Entry{Key: key, Value: value}
	}
	path, user := entry("path", "/api"), entry("user", "u1")
	request := &rlsv3.RateLimitRequest{Domain: "shop", Descriptors: []*rlcommonv3.RateLimitDescriptor{
		{Entries: []*rlcommonv3.RateLimitDescriptor_Entry{path}},
		{Entries: []*rlcommonv3.RateLimitDescriptor_Entry{path, user}},
	}}
	for range 5 {
		if _, err := client.ShouldRateLimit(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	if status, body := a.json(t, `{"domain":"shop","descriptors":[{"entries":[{"key":"path","value":"/api"}]}]}`); status != 200 {
		t.Fatalf("got %d %s, want 200", status, body)
	}
}

// promNames is metrics with their labels.
type promNames map[string]map[string]bool

// add reads the text of a scrape. Prometheus adds job and instance by itself.
func (n promNames) add(t *testing.T, text string) {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, family := range families {
		labels := map[string]bool{"job": true, "instance": true}
		for _, m := range family.GetMetric() {
			for _, pair := range m.GetLabel() {
				labels[pair.GetName()] = true
			}
			if m.GetHistogram() != nil {
				n.merge(name+"_bucket", labels, "le")
				n.merge(name+"_sum", labels)
				n.merge(name+"_count", labels)
			}
		}
		n.merge(name, labels)
	}
}

func (n promNames) merge(name string, labels map[string]bool, more ...string) {
	if n[name] == nil {
		n[name] = map[string]bool{}
	}
	maps.Copy(n[name], labels)
	for _, label := range more {
		n[name][label] = true
	}
}

// record adds a recorded metric: it has the labels that its expression groups by,
// or else those of what it is made of.
func (n promNames) record(name string, uses expression) {
	labels := map[string]bool{}
	for _, label := range uses.groups {
		labels[label] = label != "le"
	}
	if len(labels) == 0 {
		for metric := range uses.metrics {
			maps.Copy(labels, n[metric])
		}
	}
	n.merge(name, labels)
}

func (n promNames) check(t *testing.T, where string, uses expression) {
	t.Helper()
	known := map[string]bool{}
	for metric, labels := range uses.metrics {
		if n[metric] == nil {
			t.Errorf("%s: the service has no metric %s", where, metric)
			continue
		}
		for _, label := range labels {
			if !n[metric][label] {
				t.Errorf("%s: metric %s has no label %s", where, metric, label)
			}
		}
		maps.Copy(known, n[metric])
	}
	for _, label := range uses.groups {
		if !known[label] {
			t.Errorf("%s: no metric of the expression has the label %s", where, label)
		}
	}
}

func TestMissingMetricsAreNamed(t *testing.T) {
	names := promNames{"a": {"x": true}}
	for expr, want := range map[string]bool{
		`a`: true, `a{x="1"}`: true, `sum by (x) (a)`: true,
		`b`: false, `a{y="1"}`: false, `sum by (y) (a)`: false,
	} {
		probe := &testing.T{}
		names.check(probe, expr, readExpression(expr))
		if got := !probe.Failed(); got != want {
			t.Errorf("%s: got accepted=%v, want %v", expr, got, want)
		}
	}
}

type alertRules struct {
	Groups []struct {
		Name  string
		Rules []alertRule
	}
}

type alertRule struct {
	Alert, Record, Expr, For string
	Labels, Annotations      map[string]string
}

func (r alertRule) name() string { return r.Alert + r.Record }

func readAlerts(t *testing.T, file string) alertRules {
	t.Helper()
	var rules alertRules
	decoder := yaml.NewDecoder(strings.NewReader(string(readFile(t, file))))
	decoder.KnownFields(true)
	if err := decoder.Decode(&rules); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return rules
}

var recordName = regexp.MustCompile(`^[a-z]+:[a-z0-9_]+:[a-z0-9_]+$`)

func TestAlertsSayWhatToDo(t *testing.T) {
	for _, files := range deployed {
		t.Run(files.prefix, func(t *testing.T) { readAlerts(t, files.alerts).check(t, files.prefix) })
	}
}

func (r alertRules) check(t *testing.T, prefix string) {
	t.Helper()
	alertName := regexp.MustCompile(`^` + prefix + `[A-Za-z]+$`)
	seen := map[string]bool{}
	for _, group := range r.Groups {
		for _, rule := range group.Rules {
			if rule.Expr == "" || seen[rule.name()] {
				t.Errorf("%s: without expression, or twice", rule.name())
			}
			seen[rule.name()] = true
			if rule.Record != "" {
				if !recordName.MatchString(rule.Record) {
					t.Errorf("%s: want a name level:metric:operation", rule.Record)
				}
				continue
			}
			if !alertName.MatchString(rule.Alert) {
				t.Errorf("%s: want a name %sSomething", rule.Alert, prefix)
			}
			if _, err := time.ParseDuration(rule.For); rule.For != "" && err != nil {
				t.Errorf("%s: for: %v", rule.Alert, err)
			}
			if s := rule.Labels["severity"]; s != "warning" && s != "critical" {
				t.Errorf("%s: severity %q, want warning or critical", rule.Alert, s)
			}
			for _, note := range []string{"summary", "description", "action"} {
				if !strings.HasSuffix(rule.Annotations[note], ".") && !strings.HasSuffix(rule.Annotations[note], "?") {
					t.Errorf("%s: want a sentence as %s, got %q", rule.Alert, note, rule.Annotations[note])
				}
			}
		}
	}
}

type dashboard struct {
	UID, Title    string
	SchemaVersion int
	Panels        []dashboardPanel
	Annotations   struct {
		List []struct{ Name, Expr string }
	}
	Templating struct {
		List []struct{ Name, Type, Definition string }
	}
}

type dashboardPanel struct {
	ID                       int
	Type, Title, Description string
	GridPos                  struct{ H, W, X, Y int }
	Datasource               struct{ UID string }
	Targets                  []struct {
		Expr, RefID string
		Datasource  struct{ UID string }
	}
}

func readDashboard(t *testing.T, file string) dashboard {
	t.Helper()
	var d dashboard
	if err := json.Unmarshal(readFile(t, file), &d); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return d
}

type dashboardQuery struct {
	where, text string
	uses        expression
}

var labelValues = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)

// queries is everything that the dashboard asks Prometheus.
func (d dashboard) queries(t *testing.T) []dashboardQuery {
	t.Helper()
	var all []dashboardQuery
	add := func(where, text string) {
		all = append(all, dashboardQuery{where, text, readExpression(text)})
	}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			add("panel "+p.Title, target.Expr)
		}
	}
	for _, a := range d.Annotations.List {
		if a.Expr != "" {
			add("annotation "+a.Name, a.Expr)
		}
	}
	for _, v := range d.Templating.List {
		if v.Type != "query" {
			continue
		}
		m := labelValues.FindStringSubmatch(v.Definition)
		if m == nil {
			t.Errorf("variable %s: want label_values(series, label), got %s", v.Name, v.Definition)
			continue
		}
		add("variable "+v.Name, "sum by ("+m[2]+") ("+m[1]+")")
	}
	return all
}

var grafanaVariable = regexp.MustCompile(`\$\{?(\w+)\}?`)

func TestDashboardsAreInOrder(t *testing.T) {
	for _, files := range deployed {
		t.Run(files.prefix, func(t *testing.T) { readDashboard(t, files.dashboard).check(t, files.variable) })
	}
}

func (d dashboard) check(t *testing.T, variable string) {
	t.Helper()
	variables := map[string]bool{"__rate_interval": true, "__range": true}
	for _, v := range d.Templating.List {
		variables[v.Name] = true
	}
	for _, name := range []string{"datasource", variable} {
		if !variables[name] {
			t.Errorf("want a variable %s", name)
		}
	}
	for _, q := range d.queries(t) {
		for _, m := range grafanaVariable.FindAllStringSubmatch(q.text, -1) {
			if !variables[m[1]] {
				t.Errorf("%s: no variable %s", q.where, m[1])
			}
		}
	}
	ids := map[int]bool{}
	taken := map[[2]int]string{}
	for _, p := range d.Panels {
		if ids[p.ID] {
			t.Errorf("panel %s: id %d is there twice", p.Title, p.ID)
		}
		ids[p.ID] = true
		p.checkPlace(t, taken)
		if p.Type != "row" {
			p.check(t)
		}
	}
}

// checkPlace looks for panels that lie over one another.
func (p dashboardPanel) checkPlace(t *testing.T, taken map[[2]int]string) {
	t.Helper()
	if p.GridPos.X+p.GridPos.W > 24 {
		t.Errorf("panel %s: wider than the page", p.Title)
	}
	for x := range p.GridPos.W {
		for y := range p.GridPos.H {
			at := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
			if other := taken[at]; other != "" {
				t.Fatalf("panel %s lies over %s", p.Title, other)
			}
			taken[at] = p.Title
		}
	}
}

func (p dashboardPanel) check(t *testing.T) {
	t.Helper()
	if len(p.Targets) == 0 || !slices.Contains([]string{"timeseries", "stat"}, p.Type) {
		t.Errorf("panel %s: want a timeseries or stat with a query", p.Title)
	}
	if len(strings.Fields(p.Description)) < 12 {
		t.Errorf("panel %s: the description does not say what to do: %q", p.Title, p.Description)
	}
	refs := map[string]bool{}
	for _, target := range p.Targets {
		if refs[target.RefID] || target.RefID == "" {
			t.Errorf("panel %s: refId %q is there twice", p.Title, target.RefID)
		}
		refs[target.RefID] = true
		if target.Datasource.UID != "${datasource}" || p.Datasource.UID != "${datasource}" {
			t.Errorf("panel %s: want the data source variable", p.Title)
		}
	}
}

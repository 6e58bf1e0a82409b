package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	rlcommonv3 "github.com/envoyproxy/go-control-plane/envoy/extensions/common/ratelimit/v3"
	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"stoa/app"
)

// patience is how long a test waits for something that has to happen.
const patience = 30 * time.Second

// environ is what a test sets besides what start does.
type environ map[string]string

// process is an app that runs in this one, on ports of its own.
type process struct {
	t      *testing.T
	rules  string // the folder of its rule files
	log    *output
	stdout *output

	cancel context.CancelFunc
	ended  chan struct{}
	err    error // of Run, once it has ended

	mu        sync.Mutex
	addresses map[string]string
}

// start runs an app with one rule file and waits until it takes calls.
func start(t *testing.T, rules string, set environ) *process {
	t.Helper()
	p := launch(t, rules, set)
	p.address("grpc")
	return p
}

func newProcess(t *testing.T) *process {
	return &process{
		t: t, log: new(output), stdout: new(output), ended: make(chan struct{}), addresses: make(map[string]string),
	}
}

// launch runs an app and waits for nothing.
func launch(t *testing.T, rules string, set environ, change ...func(*app.Options)) *process {
	t.Helper()
	p := newProcess(t)
	root := t.TempDir()
	p.rules = filepath.Join(root, "config")
	if rules != "" {
		p.write("rules.yaml", rules)
	}
	all := environ{"RUNTIME_ROOT": root}
	maps.Copy(all, set)
	p.run(app.Settings{Storage: app.Storage{Data: filepath.Join(root, "data")}}, all, []string{"ratelimit"}, change...)
	return p
}

// run runs services of an app on free ports.
func (p *process) run(settings app.Settings, set environ, services []string, change ...func(*app.Options)) {
	p.t.Helper()
	all := environ{
		"HOST": "127.0.0.1", "GRPC_HOST": "127.0.0.1", "DEBUG_HOST": "127.0.0.1", "PORT": "0", "GRPC_PORT": "0", "DEBUG_PORT": "0",
		"USE_STATSD": "false", "LOG_LEVEL": "debug",
	}
	maps.Copy(all, set)
	cfg, err := app.ReadConfig(settings, all)
	if err != nil {
		p.t.Fatal(err)
	}
	options := app.Options{Stdout: p.stdout, Stderr: p.log, Opened: p.opened}
	for _, c := range change {
		c(&options)
	}
	a, err := app.New(cfg, options, services...)
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	go func() {
		p.err = a.Run(ctx)
		close(p.ended)
	}()
	p.t.Cleanup(func() {
		p.stop()
		if p.t.Failed() {
			p.t.Logf("log of the app:\n%s", p.log)
		}
	})
}

func (p *process) opened(name, address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.addresses[name] = address
}

// open tells the address of a port, "" while it is closed.
func (p *process) open(name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addresses[name]
}

// address waits for a port: debug, http, grpc or prometheus.
func (p *process) address(name string) string {
	p.t.Helper()
	eventually(p.t, name+" port opens", func() bool {
		select {
		case <-p.ended:
			p.t.Fatalf("the app ended: %v\n%s", p.err, p.log)
		default:
		}
		return p.open(name) != ""
	})
	return p.open(name)
}

// wait is for an app that has to end by itself.
func (p *process) wait() {
	p.t.Helper()
	select {
	case <-p.ended:
	case <-time.After(patience):
		p.t.Fatal("the app goes on, want that it ends")
	}
}

// stop ends the app as a signal does, and returns what Run returned.
func (p *process) stop() error {
	p.cancel()
	select {
	case <-p.ended:
	case <-time.After(2 * patience):
		p.t.Errorf("the app does not end")
	}
	return p.err
}

// write puts a rule file in place at once.
func (p *process) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(p.rules, 0o755); err != nil {
		p.t.Fatal(err)
	}
	path := filepath.Join(p.rules, name)
	if err := os.WriteFile(path+".new", []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		p.t.Fatal(err)
	}
}

func (p *process) conn(options ...grpc.DialOption) *grpc.ClientConn {
	p.t.Helper()
	options = append([]grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}, options...)
	conn, err := grpc.NewClient(p.address("grpc"), options...)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close() })
	return conn
}

func (p *process) client() rlsv3.RateLimitServiceClient {
	p.t.Helper()
	return rlsv3.NewRateLimitServiceClient(p.conn())
}

// answer is what an HTTP port answered.
type answer struct {
	code   int
	body   string
	header http.Header
}

func (p *process) postJSON(body string) answer {
	p.t.Helper()
	return fetch(p.t, http.MethodPost, "http://"+p.address("http")+"/json", body)
}

func (p *process) get(port, path string) answer {
	p.t.Helper()
	return fetch(p.t, http.MethodGet, "http://"+p.address(port)+path, "")
}

func fetch(t *testing.T, method, url, body string) answer {
	t.Helper()
	got, err := try(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// try is for goroutines, and for ports that may be closed.
func try(ctx context.Context, method, url, body string) (answer, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, string(text), response.Header}, err
}

// stats is every counter and gauge, by /stats.
func (p *process) stats() map[string]float64 {
	p.t.Helper()
	figures := make(map[string]float64)
	if err := json.Unmarshal([]byte(p.get("debug", "/stats?format=json").body), &figures); err != nil {
		p.t.Fatal(err)
	}
	return figures
}

// ruleStat is the short name of the statistics of a path.
func ruleStat(path, stat string) string { return "ratelimit.service.rate_limit." + path + "." + stat }

// ask makes a request; each descriptor is k=v,k=v.
func ask(domain string, descriptors ...string) *rlsv3.RateLimitRequest {
	r := &rlsv3.RateLimitRequest{Domain: domain}
	for _, text := range descriptors {
		d := new(rlcommonv3.RateLimitDescriptor)
		for item := range strings.SplitSeq(text, ",") {
			key, value, _ := strings.Cut(item, "=")
			d.Entries = append(d.Entries, &rlcommonv3.RateLimitDescriptor_Entry{Key: key, Value: value})
		}
		r.Descriptors = append(r.Descriptors, d)
	}
	return r
}

// jsonDescriptor is a /json body with one descriptor of one entry.
func jsonDescriptor(domain, key, value string) string {
	return fmt.Sprintf(`{"domain":%q,"descriptors":[{"entries":[{"key":%q,"value":%q}]}]}`, domain, key, value)
}

// eventually polls until the condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// freeAddress is a loopback address that nobody listens on now.
func freeAddress(t *testing.T) (address, port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return l.Addr().String(), port
}

// output is a buffer that may be read while it is written.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// has waits until the text is there.
func (o *output) has(t *testing.T, text string) {
	t.Helper()
	eventually(t, "output has "+text, func() bool { return strings.Contains(o.String(), text) })
}

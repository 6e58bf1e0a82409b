package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"stoa/app"
	"stoa/internal/certtest"
	"stoa/internal/db"
	"stoa/polls"
	"stoa/video"
)

func TestMain(m *testing.M) {
	video.Confined() // this binary stands in for stoa
	testscript.Main(m, map[string]func(){"stoa": main, "fetch": fetch})
}

// patience is how long a test waits for something that has to happen.
const patience = 30 * time.Second

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status":       expectStatus,
			"service":      startService,
			"polls":        startPolls,
			"everything":   startEverything,
			"sql":          changeDatabase,
			"stop":         stopService,
			"certificates": makeCertificates,
			"nobody":       nobodyListens,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("GORACE", "atexit_sleep_ms=0")
			e.Values[running{}] = new(services)
			e.Defer(func() { e.Values[running{}].(*services).stop() })
			return nil
		},
	})
}

// expectStatus is `status N PROGRAM [args …]`: exec that has to end with status N.
func expectStatus(ts *testscript.TestScript, _ bool, args []string) {
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if fmt.Sprint(got) != args[0] {
		ts.Fatalf("got exit status %d, want %s", got, args[0])
	}
}

type running struct{}

// services is the apps that a script started.
type services struct {
	mu    sync.Mutex
	stops []func() error
}

func (s *services) stop() (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stop := range s.stops {
		err = stop()
	}
	s.stops = nil
	return err
}

// startService is `service DIR [NAME=value …]`: it serves the rules of DIR/config
// in this process and sets $grpc, $http and $debug to its addresses.
func startService(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: service DIR [NAME=value …]")
	}
	environ := map[string]string{
		"RUNTIME_ROOT": ts.MkAbs(args[0]), "USE_STATSD": "false", "USE_PROMETHEUS": "true", "PROMETHEUS_ADDR": "127.0.0.1:0",
		"HOST": "127.0.0.1", "GRPC_HOST": "127.0.0.1", "DEBUG_HOST": "127.0.0.1", "PORT": "0", "GRPC_PORT": "0", "DEBUG_PORT": "0",
	}
	for _, arg := range args[1:] {
		name, value, _ := strings.Cut(arg, "=")
		environ[name] = value
	}
	serve(ts, app.Settings{Storage: app.Storage{Data: ts.MkAbs("data")}}, environ, "grpc", "ratelimit")
}

// startPolls is `polls DIR`: it serves the polls kept in DIR in this process, and
// sets $web to their address.
func startPolls(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: polls DIR")
	}
	settings := app.Settings{
		Storage: app.Storage{Data: ts.MkAbs(args[0]), SecondListen: "off"}, Listen: "127.0.0.1:0", Limits: "off",
		Polls: polls.Config{Rules: "default"},
	}
	environ := map[string]string{"DEBUG_HOST": "127.0.0.1", "DEBUG_PORT": "0", "DISABLE_STATS": "true"}
	serve(ts, settings, environ, "web", "polls")
}

// startEverything is `everything DIR`: it serves polls and videos kept in DIR in this
// process, and sets $web and $video to their addresses.
func startEverything(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: everything DIR")
	}
	settings := app.Settings{
		Storage: app.Storage{Data: ts.MkAbs(args[0]), SecondListen: "off"}, Listen: "127.0.0.1:0", VideoListen: "127.0.0.1:0", Limits: "off",
		Polls: polls.Config{Rules: "default"}, Video: video.Config{Encoders: 1},
	}
	environ := map[string]string{"DEBUG_HOST": "127.0.0.1", "DEBUG_PORT": "0", "DISABLE_STATS": "true"}
	serve(ts, settings, environ, "video", "polls", "video")
}

// changeDatabase is `sql DATABASE FILE`: it runs a statement.
func changeDatabase(ts *testscript.TestScript, _ bool, args []string) {
	d, err := db.Open(context.Background(), ts.MkAbs(args[0]), db.Options{})
	ts.Check(err)
	defer d.Close()
	ts.Check(d.InTx(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(context.Background(), ts.ReadFile(args[1]))
		return err
	}))
}

// serve runs services in this process until the script ends, and sets the
// variables of their ports. It returns when the last one is open.
func serve(ts *testscript.TestScript, settings app.Settings, environ map[string]string, last string, names ...string) {
	cfg, err := app.ReadConfig(settings, environ)
	ts.Check(err)
	opened := make(chan [2]string, 10)
	a, err := app.New(cfg, app.Options{
		Stdout: io.Discard, Stderr: io.Discard, Opened: func(name, address string) { opened <- [2]string{name, address} },
	}, names...)
	ts.Check(err)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	s := ts.Value(running{}).(*services)
	s.stops = append(s.stops, func() error { cancel(); return <-ended })
	for ts.Getenv(last) == "" {
		select {
		case err := <-ended:
			ts.Fatalf("the service ended: %v", err)
		case <-time.After(patience):
			ts.Fatalf("the service does not open its ports")
		case port := <-opened:
			ts.Setenv(port[0], port[1])
		}
	}
}

// stopService is `stop`: it ends what service started.
func stopService(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(ts.Value(running{}).(*services).stop())
	ts.Setenv("grpc", "")
	ts.Setenv("web", "")
}

// fetch is the program `fetch METHOD URL [FORM]`, which prints what a server
// answers: the status and the body.
func fetch() {
	form := strings.NewReader(strings.Join(os.Args[3:], "&"))
	request, err := http.NewRequest(os.Args[1], os.Args[2], form)
	if err == nil {
		var response *http.Response
		if response, err = http.DefaultClient.Do(request); err == nil {
			fmt.Println(response.StatusCode)
			_, err = io.Copy(os.Stdout, response.Body)
			response.Body.Close()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// makeCertificates is `certificates DIR`: ca.pem, and pairs server and client of
// it, for 127.0.0.1 and client.test.
func makeCertificates(ts *testscript.TestScript, _ bool, args []string) {
	ca, err := certtest.NewAuthority(ts.MkAbs(args[0]))
	ts.Check(err)
	_, err = ca.Issue("server", "127.0.0.1")
	ts.Check(err)
	_, err = ca.Issue("client", "client.test")
	ts.Check(err)
}

// nobodyListens is `nobody`: it sets $nobody to an address that refuses.
func nobodyListens(ts *testscript.TestScript, _ bool, _ []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Check(l.Close())
	ts.Setenv("nobody", l.Addr().String())
}

func TestRunTakesAllFromItsArguments(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), process{args: []string{"version"}, stdout: &stdout, stderr: &stderr})
	if status != 0 || !strings.HasPrefix(stdout.String(), "stoa ") || stderr.Len() > 0 {
		t.Errorf("got status %d, %q, %q", status, &stdout, &stderr)
	}
}

func TestEveryCommandHasAnExample(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{}, {"serve"}, {"work"}, {"demo"}, {"demo", "fill"}, {"demo", "live"}, {"migrate"}, {"limits", "show"}, {"user", "create"}, {"user", "list"}, {"user", "suspend"}, {"user", "delete"}, {"user", "password"},
		{"user", "tokens"}, {"user", "revoke"}, {"publisher", "create"}, {"publisher", "add"}, {"apikey", "create"}, {"apikey", "list"}, {"apikey", "suspend"}, {"apikey", "resume"}, {"apikey", "delete"},
		{"polls", "recount"}, {"polls", "key", "list"}, {"polls", "key", "new"}, {"polls", "key", "retire"}, {"doctor"}, {"routes"}, {"version"}, {"ratelimit", "ask"}, {"ratelimit", "check"}, {"ratelimit", "explain"},
		{"inventory", "validate"}, {"inventory", "lint"}, {"inventory", "effective"}, {"inventory", "explain"}, {"inventory", "diff"},
		{"inventory", "graph"}, {"inventory", "render"}, {"inventory", "new"}, {"inventory", "fmt"}, {"inventory", "schema"}, {"inventory", "codes"},
	} {
		var stdout, stderr bytes.Buffer
		status := run(t.Context(), process{args: append(args, "--help"), stdout: &stdout, stderr: &stderr})
		example := strings.TrimSpace(fmt.Sprint("stoa ", strings.Join(args, " ")))
		indented := regexp.MustCompile(`(?m)^ {2,}.*` + regexp.QuoteMeta(example))
		if status != 0 || strings.Count(stdout.String(), example) < 2 || !indented.Match(stdout.Bytes()) || stderr.Len() > 0 {
			t.Errorf("%q --help: got status %d and no example on a line of its own in\n%s%s", args, status, &stdout, &stderr)
		}
	}
}

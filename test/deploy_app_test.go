package test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stoa/app"
	"stoa/polls"
)

// root is the folder of the whole tree.
const root = ".."

// runningApp is services in this process.
type runningApp struct {
	addresses map[string]string // by what was opened: debug, http, grpc, web, video
}

// startApp runs the rate limit service on free ports with these rules, until the
// test ends. It returns when all ports are open.
func startApp(t *testing.T, rules string, environ map[string]string) *runningApp {
	t.Helper()
	data := t.TempDir()
	writeFile(t, filepath.Join(data, "rules", "config", "rules.yaml"), rules)
	all := map[string]string{"RUNTIME_ROOT": filepath.Join(data, "rules")}
	maps.Copy(all, environ)
	return startServices(t, app.Settings{Storage: app.Storage{Data: data}}, all, []string{"ratelimit"}, "grpc")
}

// startRooms is startApp for the polls and the videos.
func startRooms(t *testing.T) *runningApp {
	t.Helper()
	settings := app.Settings{
		Storage: app.Storage{Data: t.TempDir(), SecondListen: "off"}, Listen: "127.0.0.1:0", VideoListen: "127.0.0.1:0", Limits: "on",
		Polls: polls.Config{Rules: "default"},
	}
	return startServices(t, settings, nil, []string{"polls", "video"}, "web", "video")
}

// startServices returns when the named ports are open.
func startServices(t *testing.T, settings app.Settings, environ map[string]string, services []string, ports ...string) *runningApp {
	t.Helper()
	all := map[string]string{
		"HOST": "127.0.0.1", "PORT": "0", "GRPC_HOST": "127.0.0.1", "GRPC_PORT": "0", "DEBUG_HOST": "127.0.0.1", "DEBUG_PORT": "0", "DISABLE_STATS": "true",
	}
	maps.Copy(all, environ)
	cfg, err := app.ReadConfig(settings, all)
	if err != nil {
		t.Fatal(err)
	}
	type opened struct{ name, address string }
	doors := make(chan opened, 16)
	a, err := app.New(cfg, app.Options{
		Stdout: io.Discard, Stderr: t.Output(),
		Opened: func(name, address string) { doors <- opened{name, address} },
	}, services...)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the service ended with %v", err)
		}
	})
	running := &runningApp{addresses: map[string]string{}}
	closed := func(port string) bool { return running.addresses[port] == "" }
	for timeout := time.After(20 * time.Second); slices.ContainsFunc(ports, closed); {
		select {
		case o := <-doors:
			running.addresses[o.name] = o.address
		case err := <-ended:
			ended <- nil
			t.Fatalf("the service ended before its ports were open: %v", err)
		case <-timeout:
			t.Fatalf("only %v opened within 20 seconds", running.addresses)
		}
	}
	return running
}

// json asks for a decision over HTTP and returns status and body.
func (a *runningApp) json(t *testing.T, body string) (int, string) {
	t.Helper()
	r, err := http.Post("http://"+a.addresses["http"]+"/json", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, readAll(t, r.Body)
}

// debug gets a path of the debug port.
func (a *runningApp) debug(t *testing.T, path string) string {
	t.Helper()
	r, err := http.Get("http://" + a.addresses["debug"] + path)
	if err != nil {
		t.Fatal(err)
	}
	if r.StatusCode != http.StatusOK {
		t.Fatalf("%s: got status %d, want 200", path, r.StatusCode)
	}
	return readAll(t, r.Body)
}

func readAll(t *testing.T, body io.ReadCloser) string {
	t.Helper()
	defer body.Close()
	text, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// readFile reads a file of the tree.
func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

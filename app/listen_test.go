package app_test

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	rlsv3 "github.com/envoyproxy/go-control-plane/envoy/service/ratelimit/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	reflectionv1 "google.golang.org/grpc/reflection/grpc_reflection_v1"

	"stoa/app"
)

func TestReflectionListsTheServices(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, nil)
	stream, err := reflectionv1.NewServerReflectionClient(p.conn()).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = stream.Send(&reflectionv1.ServerReflectionRequest{MessageRequest: &reflectionv1.ServerReflectionRequest_ListServices{}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := stream.Recv()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range got.GetListServicesResponse().GetService() {
		names = append(names, s.Name)
	}
	for _, want := range []string{"envoy.service.ratelimit.v3.RateLimitService", "grpc.health.v1.Health"} {
		if !slices.Contains(names, want) {
			t.Errorf("got %q, want %s among them", names, want)
		}
	}
}

// dialSocket asks for a decision over a socket file.
func dialSocket(t *testing.T, path string) error {
	t.Helper()
	conn, err := grpc.NewClient("unix:"+path, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = rlsv3.NewRateLimitServiceClient(conn).ShouldRateLimit(t.Context(), ask("shop", "path=/api"))
	return err
}

func TestSocketWinsOverHostAndPort(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rl.sock")
	p := start(t, shopRules, environ{"GRPC_UDS": path})
	if got := p.address("grpc"); got != path {
		t.Errorf("got address %q, want the socket alone", got)
	}
	if err := dialSocket(t, path); err != nil {
		t.Error(err)
	}
	p.log.has(t, "Listening for gRPC on '"+path+"'")
	if err := p.stop(); err != nil {
		t.Errorf("got %v at the end, want nil", err)
	}
}

func TestStaleSocketIsTakenOver(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rl.sock")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false) // as a killed process does
	left.Close()
	start(t, shopRules, environ{"GRPC_UDS": path})
	if err := dialSocket(t, path); err != nil {
		t.Error(err)
	}
}

func TestSocketInUseIsLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "rl.sock")
	start(t, shopRules, environ{"GRPC_UDS": path})
	second := launch(t, shopRules, environ{"GRPC_UDS": path})
	second.wait()
	if second.err == nil || !strings.Contains(second.err.Error(), path) {
		t.Errorf("got %v, want an error that names the socket", second.err)
	}
	if err := dialSocket(t, path); err != nil {
		t.Errorf("the first one: %v", err)
	}
}

func TestSocketPathThatIsAFileIsLeftAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(path, []byte("keep"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := launch(t, shopRules, environ{"GRPC_UDS": path})
	p.wait()
	if text, _ := os.ReadFile(path); p.err == nil || string(text) != "keep" {
		t.Errorf("got error %v and file %q, want an error and the file untouched", p.err, text)
	}
}

func TestPortThatCannotOpen(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0") // without SO_REUSEPORT
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	for _, test := range []struct {
		variable string
		ends     bool
	}{{"PORT", true}, {"GRPC_PORT", true}, {"DEBUG_PORT", false}} {
		t.Run(test.variable, func(t *testing.T) {
			t.Parallel()
			p := launch(t, shopRules, environ{test.variable: port})
			if test.ends {
				p.wait()
				if p.err == nil || !strings.Contains(p.err.Error(), port) {
					t.Errorf("got %v, want an error that names the port", p.err)
				}
				return
			}
			p.address("grpc")
			if !strings.Contains(p.log.String(), "level=error") || !strings.Contains(p.log.String(), port) {
				t.Errorf("got no error line for the debug port")
			}
		})
	}
}

// TestSecondProcessTakesOver starts a second app on the ports of the first, and
// ends the first while calls go on.
func TestSecondProcessTakesOver(t *testing.T) {
	t.Parallel()
	first := start(t, shopRules, nil)
	ports := environ{}
	for name, variable := range map[string]string{"grpc": "GRPC_PORT", "http": "PORT", "debug": "DEBUG_PORT"} {
		_, ports[variable], _ = net.SplitHostPort(first.address(name))
	}
	var clients []rlsv3.RateLimitServiceClient
	for range 4 {
		client := first.client()
		if _, err := client.ShouldRateLimit(t.Context(), ask("shop", "x=y")); err != nil {
			t.Fatal(err)
		}
		clients = append(clients, client)
	}
	second := start(t, shopRules, ports)
	if first.address("grpc") != second.address("grpc") || first.address("http") != second.address("http") {
		t.Fatalf("the second one listens elsewhere")
	}

	stopped, cancel := context.WithCancel(t.Context())
	defer cancel()
	failures := make(chan error, len(clients))
	for _, client := range clients {
		go func() {
			for stopped.Err() == nil {
				if _, err := client.ShouldRateLimit(t.Context(), ask("shop", "x=y")); err != nil {
					failures <- err
					return
				}
			}
			failures <- nil
		}()
	}
	if err := first.stop(); err != nil {
		t.Errorf("the first one: %v", err)
	}
	before := second.stats()["ratelimit_server.ShouldRateLimit.total_requests"]
	eventually(t, "the second one answers all", func() bool {
		return second.stats()["ratelimit_server.ShouldRateLimit.total_requests"] >= before+100
	})
	cancel()
	for range clients {
		if err := <-failures; err != nil {
			t.Errorf("a call failed: %v", err)
		}
	}
}

func TestConnectionsHaveAnAge(t *testing.T) {
	t.Parallel()
	p := start(t, shopRules, environ{"GRPC_MAX_CONNECTION_AGE": "200ms", "GRPC_MAX_CONNECTION_AGE_GRACE": "100ms"})
	conn, err := net.Dial("tcp", p.address("grpc"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// The preface and empty settings of a client that then says no more.
	if _, err := conn.Write([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")); err != nil {
		t.Fatal(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	if _, err := io.Copy(io.Discard, conn); err != nil {
		t.Errorf("got %v, want that the server ends the connection", err)
	}
}

func TestUnknownService(t *testing.T) {
	t.Parallel()
	cfg, err := app.ReadConfig(app.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = app.New(cfg, app.Options{Stderr: io.Discard}, "ratelimit", "teapot")
	if err == nil || !strings.Contains(err.Error(), "teapot") || !strings.Contains(err.Error(), "ratelimit") {
		t.Errorf("got %v, want an error with the name and what is there", err)
	}
}

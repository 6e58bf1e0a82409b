package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stoa is this test's own binary, as the program.
func stoa(t *testing.T, environ []string, args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd = &exec.Cmd{Path: self, Args: append([]string{"stoa"}, args...), Env: environ, Dir: t.TempDir(), Stdout: stdout, Stderr: stderr}
	return cmd, stdout, stderr
}

func TestSignalsEndServe(t *testing.T) {
	t.Parallel()
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			socket := filepath.Join(t.TempDir(), "rl.sock")
			cmd, stdout, stderr := stoa(t, []string{
				"HOST=127.0.0.1", "PORT=0", "DEBUG_HOST=127.0.0.1", "DEBUG_PORT=0", "GRPC_UDS=" + socket, "DISABLE_STATS=true",
			}, "serve", "ratelimit")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(patience); ; time.Sleep(5 * time.Millisecond) {
				if _, err := os.Stat(socket); err == nil {
					break
				}
				if time.Now().After(deadline) {
					_ = cmd.Process.Kill()
					t.Fatalf("the gRPC port does not open:\n%s", stderr)
				}
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			hang := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
			defer hang.Stop()
			if err := cmd.Wait(); err != nil {
				t.Errorf("got %v, want exit 0:\n%s", err, stderr)
			}
			if stdout.Len() > 0 {
				t.Errorf("got %q on standard output, want nothing: logs go to standard error", stdout)
			}
			for _, want := range []string{"Listening for debug on '127.0.0.1:", "Listening for HTTP on '127.0.0.1:", "Listening for gRPC on '" + socket + "'"} {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("got\n%s\nwant a line with %s", stderr, want)
				}
			}
			if _, err := os.Stat(filepath.Join(cmd.Dir, "stoa-data")); err == nil {
				t.Error("a data folder was made")
			}
		})
	}
}

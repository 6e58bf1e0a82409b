package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// server is a process under test.
type server struct {
	hello
	name  string
	place string // what the paths of the video begin with
	query string // what they end with
	key   string // of the API, if it is asked
	ids   []string
	cmd   *exec.Cmd
}

// hello is what the videos tell when they are ready.
type hello struct {
	Address string
	Video   string // id of a public video
	Private string // id of a private one
	Session string // that opens it
}

// stop ends the process, and waits until it is over.
func (s *server) stop() {
	_ = s.cmd.Process.Signal(os.Interrupt)
	defer time.AfterFunc(30*time.Second, func() { _ = s.cmd.Process.Kill() }).Stop()
	_ = s.cmd.Wait()
}

// startStoa starts this program again as the server.
func startStoa(ctx context.Context, dir string, s settings) (*server, error) {
	started, err := startSelf(ctx, "stoa", "-serve", dir, "-files", strconv.Itoa(s.files), "-size", strconv.Itoa(s.size))
	if err == nil {
		started.place = "/vod/" + started.Video
	}
	return started, err
}

// startLibrary starts this program again as the file server of the standard library.
func startLibrary(ctx context.Context, dir, video string) (*server, error) {
	started, err := startSelf(ctx, "net/http", "-serve-files", blobs(dir))
	if err == nil {
		started.place = "/video/" + video
	}
	return started, err
}

func startSelf(ctx context.Context, name string, args ...string) (*server, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	started := &server{name: name, cmd: cmd}
	if err := json.NewDecoder(bufio.NewReader(out)).Decode(&started.hello); err != nil {
		started.stop()
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return started, nil
}

const nginxConfig = `
daemon off; pid %[1]s/nginx.pid; error_log stderr; worker_processes auto; %[4]s
events { worker_connections 4096; }
http {
	access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; default_type video/mp4;
	client_body_temp_path %[1]s/tmp; proxy_temp_path %[1]s/tmp; fastcgi_temp_path %[1]s/tmp; uwsgi_temp_path %[1]s/tmp; scgi_temp_path %[1]s/tmp;
	server { listen 127.0.0.1:%[2]d; root %[3]s; }
}
`

// startNginx has nginx serve the files of the video as they are in the folder.
func startNginx(ctx context.Context, dir, video string) (*server, error) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	user := ""
	if os.Getuid() == 0 {
		user = "user root;" // the folder is closed to others
	}
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, nginxConfig, dir, port, blobs(dir), user), 0o600); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "nginx", "-p", dir, "-c", config, "-e", "stderr")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start nginx: %w; install it (Debian: nginx-light), or measure the rest with -only", err)
	}
	started := &server{name: "nginx", place: "/video/" + video, cmd: cmd, hello: hello{Address: fmt.Sprintf("127.0.0.1:%d", port)}}
	return started, started.await(ctx)
}

// await waits until the server takes connections.
func (s *server) await(ctx context.Context) error {
	for end := time.Now().Add(10 * time.Second); ; {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Address)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(end) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// tick is the unit of the CPU times in /proc: 100 a second on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// cpu is what a process has used so far, with its children: those that run, and those
// that it has waited for.
func (s *server) cpu() (time.Duration, error) {
	pid := s.cmd.Process.Pid
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0, err
	}
	var total time.Duration
	for _, process := range append(strings.Fields(string(children)), strconv.Itoa(pid)) {
		text, err := os.ReadFile("/proc/" + process + "/stat")
		if err != nil {
			return 0, err
		}
		_, rest, _ := strings.Cut(string(text), ") ") // the name may hold blanks
		fields := strings.Fields(rest)
		for _, field := range fields[11:15] { // in the program and in the system for it, and of children that have ended
			ticks, err := strconv.Atoi(field)
			if err != nil {
				return 0, err
			}
			total += time.Duration(ticks) * tick
		}
	}
	return total, nil
}

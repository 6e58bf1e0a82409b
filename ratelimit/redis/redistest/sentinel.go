package redistest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// MasterName is what the sentinel calls the master.
const MasterName = "mymaster"

// Sentinel is a master, a replica and a sentinel that watches them.
type Sentinel struct {
	Servers  [2]*Server // the first one starts as the master
	Sentinel *Server
}

// StartSentinel starts the three; they end with the test. Options are for the
// data nodes, except SentinelPassword.
func StartSentinel(t testing.TB, opts ...Option) *Sentinel {
	t.Helper()
	s, err := LaunchSentinel(t.TempDir(), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// LaunchSentinel starts the three and waits until the sentinel knows the
// replica. The caller ends them with Kill.
func LaunchSentinel(dir string, opts ...Option) (*Sentinel, error) {
	s := &Sentinel{}
	if err := s.launch(dir, opts); err != nil {
		s.Kill()
		return nil, err
	}
	return s, nil
}

func (s *Sentinel) launch(dir string, opts []Option) error {
	for i, name := range []string{"one", "two"} {
		server, err := launchIn(filepath.Join(dir, name), opts...)
		if err != nil {
			return err
		}
		s.Servers[i] = server
	}
	master, replica := s.Servers[0], s.Servers[1]
	password := master.set.password
	lines := []Option{
		asSentinel,
		Password(master.set.sentinelPassword),
		Line("sentinel monitor %s 127.0.0.1 %d 1", MasterName, master.port),
		Line("sentinel down-after-milliseconds %s 400", MasterName),
		Line("sentinel failover-timeout %s 2000", MasterName),
	}
	if password != "" {
		for _, server := range s.Servers {
			if _, err := server.Command("CONFIG", "SET", "masterauth", password); err != nil {
				return err
			}
		}
		lines = append(lines, Line("sentinel auth-pass %s %s", MasterName, password))
	}
	if _, err := replica.Command("REPLICAOF", "127.0.0.1", fmt.Sprint(master.port)); err != nil {
		return err
	}
	var err error
	if s.Sentinel, err = launchIn(filepath.Join(dir, "sentinel"), lines...); err != nil {
		return err
	}
	return await("the sentinel knows the replica", func() bool {
		link, err := replica.Command("INFO", "replication")
		if err != nil || !strings.Contains(link, "master_link_status:up") {
			return false
		}
		// The sentinel asks the replica every few seconds; only one whose link
		// it has seen up may become the master.
		known, err := s.Sentinel.Command("SENTINEL", "replicas", MasterName)
		return err == nil && strings.Contains(known, fmt.Sprint(replica.port)) && strings.Contains(known, "master-link-status\nok")
	})
}

// URL is the setting that leads to the master: its name, then the sentinel.
func (s *Sentinel) URL() string { return MasterName + "," + s.Sentinel.Addr() }

// Master is the server that the sentinel holds for the master now.
func (s *Sentinel) Master() (*Server, error) {
	out, err := s.Sentinel.Command("SENTINEL", "get-master-addr-by-name", MasterName)
	if err != nil {
		return nil, err
	}
	for _, server := range s.Servers {
		if strings.Contains(out, fmt.Sprint(server.port)) {
			return server, nil
		}
	}
	return nil, fmt.Errorf("the sentinel names %q", out)
}

// Kill ends all servers.
func (s *Sentinel) Kill() {
	for _, server := range []*Server{s.Sentinel, s.Servers[0], s.Servers[1]} {
		if server != nil {
			server.Kill()
		}
	}
}

func launchIn(dir string, opts ...Option) (*Server, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return Launch(dir, opts...)
}

package redistest_test

import (
	"testing"

	"stoa/ratelimit/redis/redistest"
)

func TestServerComesBackAtItsAddress(t *testing.T) {
	s := redistest.Start(t, redistest.Password("hush"))
	addr := s.Addr()
	if out, err := s.Command("INCR", "n"); err != nil || out != "1" {
		t.Fatalf("got %q, %v want 1", out, err)
	}
	if err := s.Restart(); err != nil {
		t.Fatal(err)
	}
	if out, err := s.Command("GET", "n"); err != nil || out != "" || s.Addr() != addr {
		t.Fatalf("got %q, %v at %s want an empty server at %s", out, err, s.Addr(), addr)
	}
}

func TestKinds(t *testing.T) {
	for name, opts := range map[string][]redistest.Option{
		"socket": {redistest.Socket()},
		"tls":    {redistest.TLS()},
		"user":   {redistest.User("ann", "hush")},
	} {
		t.Run(name, func(t *testing.T) {
			if out, err := redistest.Start(t, opts...).Command("PING"); err != nil || out != "PONG" {
				t.Fatalf("got %q, %v want PONG", out, err)
			}
		})
	}
}

func TestSentinelAndCluster(t *testing.T) {
	s := redistest.StartSentinel(t)
	if master, err := s.Master(); err != nil || master != s.Servers[0] {
		t.Errorf("got %v, %v want the first server", master, err)
	}
	if c := redistest.StartCluster(t, 3); len(c.Nodes) != 3 {
		t.Errorf("got %d nodes want 3", len(c.Nodes))
	}
}

package memcache

import (
	"context"
	"errors"
	"net"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

var (
	silent  = context.DeadlineExceeded
	refused = &dialError{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}}
)

func TestGateRests(t *testing.T) {
	tests := []struct {
		name string
		err  error
		rest time.Duration
	}{
		{"after a time-out", silent, restSilent},
		{"after a refused connection", refused, restRefused},
		{"not after an error that the server sent", errors.New("SERVER_ERROR"), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var g gate
				mustEnter(t, &g)
				g.leave(tt.err)
				if tt.rest > 0 {
					time.Sleep(tt.rest - time.Nanosecond)
					if err := g.enter(); err != errResting {
						t.Fatalf("got %v, want %v", err, errResting)
					}
					time.Sleep(time.Nanosecond)
				}
				mustEnter(t, &g)
			})
		})
	}
}

func TestGateLetsOneTryFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		mustEnter(t, &g)
		g.leave(silent)
		time.Sleep(restSilent)
		mustEnter(t, &g)
		if err := g.enter(); err != errResting {
			t.Errorf("got %v for a second call, want %v", err, errResting)
		}
		if !g.leave(nil) {
			t.Error("the answer did not end the rest")
		}
		mustEnter(t, &g)
		mustEnter(t, &g)
		if g.leave(nil) {
			t.Error("the rest ended twice")
		}
	})
}

func TestGateBoundsCalls(t *testing.T) {
	var g gate
	for range mostInside {
		mustEnter(t, &g)
	}
	if err := g.enter(); err != errBusy {
		t.Errorf("got %v, want %v", err, errBusy)
	}
	g.leave(nil)
	mustEnter(t, &g)
}

func mustEnter(t *testing.T, g *gate) {
	t.Helper()
	if err := g.enter(); err != nil {
		t.Fatalf("got %v, want to enter", err)
	}
}

package redis

import (
	"cmp"
	"context"
	"crypto/tls"
	"net"
	"sync"

	"stoa/internal/stats"
)

// dial connects and, with a config, shakes hands; both within the timeout.
func (p *pool) dial(ctx context.Context, addr string, dialer *net.Dialer, config *tls.Config) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, p.node.Timeout)
	defer cancel()
	raw, err := dialer.DialContext(ctx, p.target.network, addr)
	if err != nil || config == nil {
		return raw, err
	}
	host, _, _ := net.SplitHostPort(addr)
	config = config.Clone()
	config.ServerName = cmp.Or(host, "localhost")
	secure := tls.Client(raw, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		raw.Close()
		return nil, err
	}
	return secure, nil
}

// A gauge counts the open connections of a pool and tells when the first one
// opens and the last one closes.
type gauge struct {
	active *stats.Gauge
	total  *stats.Counter
	close  *stats.Counter
	change func(active bool)

	mu sync.Mutex
	n  int
}

func newGauge(registry *stats.Registry, pool string, change func(active bool)) *gauge {
	name := "ratelimit." + pool + "."
	return &gauge{
		active: registry.Gauge(name + "cx_active"),
		total:  registry.Counter(name + "cx_total"),
		close:  registry.Counter(name + "cx_local_close"),
		change: change,
	}
}

func (g *gauge) opened() {
	g.total.Add(1)
	g.add(1)
}

func (g *gauge) closed() {
	g.close.Add(1)
	g.add(-1)
}

func (g *gauge) add(d int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	had := g.n > 0
	g.n += d
	g.active.Set(int64(g.n))
	if has := g.n > 0; has != had {
		g.change(has)
	}
}

// A health is active while every pool has a connection.
type health struct {
	mu     sync.Mutex
	idle   map[string]bool
	report func(active bool)
}

// of is where one pool reports. Nothing is told before the first change.
func (h *health) of(pool string) func(active bool) {
	return func(active bool) {
		if h.report == nil {
			return
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if active {
			delete(h.idle, pool)
		} else {
			h.idle[pool] = true
		}
		h.report(len(h.idle) == 0)
	}
}

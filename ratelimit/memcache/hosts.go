package memcache

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"sync/atomic"
	"time"
)

const (
	// lookupTime bounds one SRV lookup with all its attempts.
	lookupTime = 10 * time.Second

	// tidyEvery is how soon a connection that is not needed is closed.
	tidyEvery = time.Second
)

// hosts is the current list of servers.
type hosts struct {
	cfg      Config
	tls      *tls.Config
	resolver *net.Resolver
	log      *slog.Logger
	servers  atomic.Pointer[[]*server]
}

func newHosts(ctx context.Context, cfg Config, resolver *net.Resolver, log *slog.Logger) (*hosts, error) {
	tlsConfig, err := cfg.tlsConfig()
	if err != nil {
		return nil, err
	}
	h := &hosts{cfg: cfg, tls: tlsConfig, resolver: resolver, log: log}
	h.servers.Store(new([]*server))
	if cfg.SRV == "" {
		h.set(cfg.hosts())
		return h, nil
	}
	names, err := h.lookup(ctx)
	if err != nil {
		return nil, err
	}
	h.set(names)
	return h, nil
}

func (h *hosts) list() []*server { return *h.servers.Load() }

// pick is the server of a key, sum being the CRC-32 of the key.
func pick(servers []*server, sum uint32) *server { return servers[sum%uint32(len(servers))] }

// set changes the list. A server that stays keeps its connections.
func (h *hosts) set(names []string) {
	old := h.list()
	known := map[string]*server{}
	for _, s := range old {
		known[s.name] = s
	}
	servers := make([]*server, len(names))
	for i, name := range names {
		if known[name] == nil {
			known[name] = newServer(name, h.cfg.MaxIdleConns, h.tls, h.resolver, h.log)
		}
		servers[i] = known[name]
	}
	h.servers.Store(&servers)
	for _, s := range old {
		if !slices.Contains(servers, s) {
			s.client.Close()
		}
	}
}

// lookup returns the servers of the SRV name, sorted so that every process has
// the same order.
func (h *hosts) lookup(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	_, records, err := h.resolver.LookupSRV(ctx, "", "", h.cfg.SRV)
	if err == nil && len(records) == 0 {
		err = errors.New("no servers")
	}
	if err != nil {
		return nil, fmt.Errorf("MEMCACHE_SRV: look up %s: %w", h.cfg.SRV, err)
	}
	names := make([]string, len(records))
	for i, r := range records {
		names[i] = net.JoinHostPort(r.Target, strconv.Itoa(int(r.Port)))
	}
	slices.Sort(names)
	return names, nil
}

// follow looks the SRV name up again and again, until the context ends.
func (h *hosts) follow(ctx context.Context) {
	if h.cfg.SRV == "" || h.cfg.SRVRefresh <= 0 {
		return
	}
	tick := time.NewTicker(time.Duration(h.cfg.SRVRefresh))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.refresh(ctx)
		}
	}
}

func (h *hosts) refresh(ctx context.Context) {
	names, err := h.lookup(ctx)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		h.log.Warn("memcached servers stay as they are", "error", err)
		return
	}
	if !slices.EqualFunc(h.list(), names, func(s *server, name string) bool { return s.name == name }) {
		h.set(names)
		h.log.Info("memcached servers changed", "servers", names)
	}
}

// tidy keeps few connections in quiet times, until the context ends.
func (h *hosts) tidy(ctx context.Context) {
	tick := time.NewTicker(tidyEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			for _, s := range h.list() {
				s.tidy()
			}
		}
	}
}

// closeIdle closes the connections that no call uses.
func (h *hosts) closeIdle() {
	for _, s := range h.list() {
		s.client.Close()
	}
}

package memcache

import (
	"net"
	"strconv"
	"testing"

	"stoa/ratelimit"
	"stoa/ratelimit/countertest"
	"stoa/ratelimit/memcache/memcachetest"
)

func TestCounter(t *testing.T) {
	t.Run("one server", func(t *testing.T) { suite(t, of(memcachetest.Start(t))) })
	t.Run("two servers", func(t *testing.T) { suite(t, of(memcachetest.Start(t), memcachetest.Start(t))) })
	t.Run("TLS", func(t *testing.T) {
		s, files := memcachetest.StartTLS(t, "localhost")
		suite(t, secure(net.JoinHostPort("localhost", strconv.Itoa(s.Port)), files))
	})
}

func suite(t *testing.T, cfg Config) {
	c := running(t, cfg, Options{Jitter: 300, Failed: func(err error) { t.Errorf("failed open: %v", err) }}).patient()
	countertest.Run(t, func(*testing.T) ratelimit.Counter { return c },
		countertest.Async(func() { c.settle(t) }), countertest.TextKeys())
}

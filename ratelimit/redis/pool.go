package redis

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"math/bits"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/rueidis"

	"stoa/internal/fault"
)

// maxConns is how many connections share the calls to a server: one is enough
// for a core or two, more than four gain nothing.
const maxConns = 4

// A pool is one redis: the session that serves its calls, or the reason why
// there is none.
type pool struct {
	node    Node
	target  target
	tls     *tls.Config // nil where redis speaks plainly
	cluster bool
	log     *slog.Logger
	gauge   *gauge
	expiry  *expiries
	jitter  int64 // seconds
	silent  error // why a connection is closed that does not answer in time

	live   atomic.Pointer[session]
	away   atomic.Pointer[outage] // meaningful while live is nil
	revive chan struct{}          // tells Run to connect
	closed atomic.Bool
	joint  sync.Mutex // one attempt to connect at a time
	door   door
	watch
}

func newPool(cfg Config, r role, node Node, opt Options, report func(bool), expiry *expiries) (*pool, error) {
	node = node.withDefaults(r)
	target, err := node.target(r)
	if err != nil {
		return nil, err
	}
	p := &pool{
		node:    node,
		target:  target,
		cluster: node.Type == "CLUSTER",
		log:     opt.Log.With("redis", r.pool),
		gauge:   newGauge(opt.Stats, r.pool, report),
		expiry:  expiry,
		jitter:  int64(opt.Jitter),
		silent:  fmt.Errorf("no answer within %s", node.Timeout),
		revive:  make(chan struct{}, 1),
		door:    newDoor(),
	}
	if node.TLS || target.tls {
		if p.tls, err = cfg.tlsConfig(); err != nil {
			return nil, err
		}
	}
	p.away.Store(&outage{cause: fault.New(fault.Unavailable, "redis is not connected yet"), since: time.Now()})
	p.watch.init(node.Timeout)
	if node.PipelineLimit != 0 {
		p.log.Warn(r.prefix + "PIPELINE_LIMIT has no effect")
	}
	return p, nil
}

// conns is how many connections to a server share its calls, a power of two.
func (p *pool) conns() int {
	n := min(p.node.PoolSize, max(1, runtime.GOMAXPROCS(0)/2), maxConns)
	return 1 << (bits.Len(uint(n)) - 1)
}

// options describe the client of a session.
func (p *pool) options(s *session) rueidis.ClientOption {
	multiplex := bits.Len(uint(p.conns())) - 1
	if multiplex == 0 {
		multiplex = -1 // 0 would let the client choose
	}
	opt := rueidis.ClientOption{
		DialCtxFn:   s.dial,
		Dialer:      net.Dialer{Timeout: p.node.Timeout, KeepAlive: dataKeepAlive},
		TLSConfig:   p.tls,
		InitAddress: p.target.addrs,
		Username:    p.target.user,
		Password:    p.target.password,
		SelectDB:    p.target.db,

		ForceSingleClient: p.node.Type == "SINGLE",
		PipelineMultiplex: multiplex,
		RingScaleEachConn: ringScale,
		MaxFlushDelay:     p.node.PipelineWindow,
		ConnWriteTimeout:  p.node.Timeout,
		BlockingPipeline:  -1, // no pipeline is too long for the shared connections

		AlwaysPipelining: true,
		DisableRetry:     true, // a command sent again may count twice
		DisableCache:     true,
		ClientSetInfo:    rueidis.DisableClientSetInfo, // some servers refuse CLIENT
	}
	if p.cluster {
		opt.SelectDB = 0 // the only one there is
		opt.ClusterOption.ShardsRefreshInterval = 5 * time.Second
		opt.ClusterOption.MaxMovedRedirections = 8
	}
	if p.target.master != "" {
		user, password := credentials(p.node.SentinelAuth)
		opt.Sentinel = rueidis.SentinelOption{
			Dialer:                  net.Dialer{Timeout: p.node.Timeout, KeepAlive: sentinelKeepAlive},
			TLSConfig:               p.tls,
			MasterSet:               p.target.master,
			Username:                user,
			Password:                password,
			TopologyRefreshInterval: 5 * time.Second,
		}
	}
	return opt
}

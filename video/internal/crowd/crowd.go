// Package crowd bounds how many connections there are at once, in all and of one
// address.
package crowd

import (
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
)

// Why a connection is refused.
var (
	ErrAll     = errors.New("too many connections")
	ErrAddress = errors.New("too many connections of one address")
)

// reportGap is the time between two reports of refused connections: a flood must not
// fill the log too.
const reportGap = 10 * time.Second

// Crowd counts connections.
type Crowd struct {
	all, perAddress int
	log             *slog.Logger
	lock            sync.Mutex
	count           int
	by              map[netip.Prefix]int
	refused         int // since the last report
	reported        time.Time
}

// New gives an empty crowd with bounds, and a log for those who are too many.
func New(all, perAddress int, log *slog.Logger) *Crowd {
	return &Crowd{all: all, perAddress: perAddress, log: log, by: map[netip.Prefix]int{}}
}

// Enter counts a connection until leave is called. It answers ErrAll or ErrAddress where
// there are too many already, and says so in the log from time to time.
func (c *Crowd) Enter(address netip.Addr) (leave func(), err error) {
	from := network(address)
	c.lock.Lock()
	defer c.lock.Unlock()
	switch {
	case c.count >= c.all:
		err = ErrAll
	case c.by[from] >= c.perAddress:
		err = ErrAddress
	}
	if err != nil {
		c.refuse(address, err)
		return nil, err
	}
	c.count++
	c.by[from]++
	return func() {
		c.lock.Lock()
		defer c.lock.Unlock()
		c.count--
		if c.by[from]--; c.by[from] == 0 {
			delete(c.by, from)
		}
	}, nil
}

func (c *Crowd) refuse(address netip.Addr, err error) {
	c.refused++
	now := time.Now()
	if now.Sub(c.reported) < reportGap {
		return
	}
	c.log.Warn("connections were refused", "count", c.refused, "address", address.String(), "error", err)
	c.refused, c.reported = 0, now
}

// Address is where a peer is. What is no address of the internet is the zero one.
func Address(peer net.Addr) netip.Addr {
	at, _ := netip.ParseAddrPort(peer.String())
	return at.Addr()
}

// network is what counts as one address: of IPv6, whoever has one has 64 bits of them.
func network(address netip.Addr) netip.Prefix {
	address = address.Unmap().WithZone("")
	bits := 32
	if address.Is6() {
		bits = 64
	}
	p, _ := address.Prefix(bits) // what is no address counts as one, too
	return p
}

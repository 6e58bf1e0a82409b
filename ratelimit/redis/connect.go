package redis

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/redis/rueidis"
)

// connect opens a session and puts it to use; limit bounds the attempt.
func (p *pool) connect(ctx context.Context, limit time.Duration) error {
	p.joint.Lock()
	defer p.joint.Unlock()
	if p.live.Load() != nil {
		return nil
	}
	s := newSession(p)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errors.New("no answer within "+limit.String()))
	defer cancel()
	stop := context.AfterFunc(ctx, func() { s.end(context.Cause(ctx)) })
	client, err := rueidis.NewClient(p.options(s))
	if client != nil {
		s.hold(client)
	}
	if err == nil {
		err = p.greet(ctx, client)
	}
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		if why := context.Cause(ctx); why != nil {
			err = why
		}
		s.end(err)
		return err
	}
	p.live.Store(s)
	if p.closed.Load() {
		p.close()
		return errSessionOver
	}
	if cause := s.brokenBy(); cause != nil { // lost before it was in use
		p.trip(s, cause)
		return cause
	}
	return nil
}

// greet opens the connections that calls will use, so that no call has to, and
// asks for an answer on each. In a cluster the rest may do without some nodes.
func (p *pool) greet(ctx context.Context, client rueidis.Client) error {
	if !p.cluster && p.conns() == 1 {
		return pingError(client.Do(ctx, client.B().Ping().Build()).Error())
	}
	// The key decides upon the node of a cluster, chance upon the connection.
	const spread = 32
	pings := make(rueidis.Commands, 0, spread)
	var err error
	answered := 0
	for i := range spread {
		ping := client.B().Arbitrary("PING").Keys(strconv.Itoa(i)).Build()
		if p.cluster {
			pings = append(pings, ping)
			continue
		}
		if err := pingError(client.Do(ctx, ping).Error()); err != nil {
			return err
		}
		answered++
	}
	if p.cluster {
		for _, r := range client.DoMulti(ctx, pings...) {
			if e := pingError(r.Error()); e != nil {
				err = e
			} else {
				answered++
			}
		}
	}
	if answered == 0 {
		return err
	}
	return nil
}

// pingError forgives a redis whose rules do not let us ping.
func pingError(err error) error {
	if err != nil && strings.HasPrefix(err.Error(), "NOPERM") {
		return nil
	}
	return err
}

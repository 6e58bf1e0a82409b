package redis

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/redis/rueidis"

	"stoa/ratelimit"
)

// What a hit becomes.
const (
	look       = iota // GET
	back              // EVAL
	add               // INCRBY
	addAndKeep        // INCRBY, EXPIRE
)

// A step is what one hit became in the pipeline.
type step struct {
	hit  *ratelimit.Hit
	hash uint64 // of the key, of steps that add
	kind uint8
}

// A pipeline is the commands of a call to one redis.
type pipeline struct {
	commands rueidis.Commands
	steps    []step
	keys     []byte // all of them, to be copied at once
}

var pipelines = sync.Pool{New: func() any { return new(pipeline) }}

// pipe sends the hits and sets their counts.
func (p *pool) pipe(ctx context.Context, client rueidis.Client, hits []ratelimit.Hit, part share) (int, error) {
	l := pipelines.Get().(*pipeline)
	n := p.plan(l, client.B(), hits, part)
	var err error
	switch n {
	case 0:
	case 1:
		err = l.steps[0].read(client.Do(ctx, l.commands[0]))
	default:
		err = p.readAll(client.DoMulti(ctx, l.commands...), l)
	}
	if err == nil {
		err = p.settle(ctx, client, l)
	}
	if err == nil {
		pipelines.Put(l) // after an error the client may still hold the commands
	}
	return n, err
}

// plan makes the commands and tells how many there are.
func (p *pool) plan(l *pipeline, b rueidis.Builder, hits []ratelimit.Hit, part share) int {
	l.steps, l.commands, l.keys = l.steps[:0], l.commands[:0], l.keys[:0]
	for i := range hits {
		if part.has(&hits[i]) {
			l.keys = append(l.keys, hits[i].Key...)
		}
	}
	keys := string(l.keys)
	for i := range hits {
		if h := &hits[i]; part.has(h) {
			p.planHit(l, b, h, keys[:len(h.Key)])
			keys = keys[len(h.Key):]
		}
	}
	return len(l.commands)
}

func (p *pool) planHit(l *pipeline, b rueidis.Builder, h *ratelimit.Hit, key string) {
	s := step{hit: h}
	switch {
	case h.Add == 0:
		s.kind = look
		l.commands = append(l.commands, b.Get().Key(key).Build())
	case h.Back:
		s.kind = back
		l.commands = append(l.commands, b.Eval().Script(giveBack).Numkeys(1).Key(key).Arg(strconv.FormatUint(uint64(h.Add), 10)).Build())
	default:
		s.kind, s.hash = add, p.expiry.hash(h.Key, h.Window.Seconds)
		l.commands = append(l.commands, b.Incrby().Key(key).Increment(int64(h.Add)).Build())
		if !p.expiry.known(s.hash) {
			s.kind = addAndKeep
			l.commands = append(l.commands, b.Expire().Key(key).Seconds(p.expirySeconds(h)).Build())
		}
	}
	l.steps = append(l.steps, s)
}

// readAll takes the answers, in the order of the steps.
func (p *pool) readAll(answers []rueidis.RedisResult, l *pipeline) error {
	i := 0
	for j := range l.steps {
		s := &l.steps[j]
		if err := s.read(answers[i]); err != nil {
			return err
		}
		i++
		if s.kind == addAndKeep {
			if err := answers[i].Error(); err != nil {
				return err
			}
			i++
			p.expiry.remember(s.hash)
		}
	}
	return nil
}

var errNotNumber = errors.New("ERR value is not an integer or out of range")

func (s *step) read(r rueidis.RedisResult) error {
	n, err := r.AsInt64()
	switch {
	case err == nil:
		s.hit.Count = uint64(max(n, 0))
	case rueidis.IsRedisNil(err):
		s.hit.Count = 0
	case r.Error() == nil: // a look at something else
		return errNotNumber
	default:
		return err
	}
	return nil
}

// settle gives an expiry to keys that we held for known and that turn out to be
// new: redis was emptied, or another one took over.
func (p *pool) settle(ctx context.Context, client rueidis.Client, l *pipeline) error {
	var lost rueidis.Commands
	for i := range l.steps {
		s := &l.steps[i]
		if s.kind == add && s.hit.Count == uint64(s.hit.Add) {
			lost = append(lost, client.B().Expire().Key(string(s.hit.Key)).Seconds(p.expirySeconds(s.hit)).Build())
		}
	}
	if lost == nil {
		return nil
	}
	for _, r := range client.DoMulti(ctx, lost...) {
		if err := r.Error(); err != nil {
			for i := range l.steps {
				p.expiry.forget(l.steps[i].hash)
			}
			return err
		}
	}
	return nil
}

package analytics

import (
	"encoding/binary"
	"errors"
)

// stateVersion is the first byte of a stored state.
const stateVersion = 1

// state packs what later events are joined to.
func (p *playback) state() []byte {
	b := []byte{stateVersion, flag(p.settled.moving)}
	for _, n := range []int64{p.began, p.ended, p.settled.last, p.settled.at, p.settled.position, p.settled.source,
		p.settled.waited, p.settled.watched, int64(len(p.tail))} {
		b = binary.AppendVarint(b, n)
	}
	var before event
	for _, e := range p.tail {
		b = append(b, byte(e.kind)<<1|flag(e.paused))
		b = binary.AppendVarint(b, e.emitted-before.emitted)
		b = binary.AppendVarint(b, e.moment-before.moment)
		b = binary.AppendVarint(b, e.position-before.position)
		before = e
	}
	return b
}

func flag(on bool) byte {
	if on {
		return 1
	}
	return 0
}

var errState = errors.New("the state of a playback cannot be read: it was written by another version, or is damaged")

// restore unpacks a state.
func (p *playback) restore(state []byte) error {
	r := stateReader{rest: state}
	if r.byte() != stateVersion {
		return errState
	}
	p.settled.moving = r.byte() == 1
	var length int64
	for _, n := range []*int64{&p.began, &p.ended, &p.settled.last, &p.settled.at, &p.settled.position, &p.settled.source,
		&p.settled.waited, &p.settled.watched, &length} {
		*n = r.number()
	}
	var before event
	for ; length > 0 && !r.failed; length-- {
		what := r.byte()
		before = event{kind: kind(what >> 1), paused: what&1 == 1, emitted: before.emitted + r.number(),
			moment: before.moment + r.number(), position: before.position + r.number()}
		if before.kind > source {
			return errState
		}
		p.tail = append(p.tail, before)
	}
	if r.failed {
		return errState
	}
	return nil
}

// stateReader reads until the bytes fail.
type stateReader struct {
	rest   []byte
	failed bool
}

func (r *stateReader) byte() byte {
	if len(r.rest) == 0 {
		r.failed = true
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

func (r *stateReader) number() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.failed = true
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

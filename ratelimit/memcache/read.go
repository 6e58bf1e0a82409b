package memcache

import (
	"cmp"
	"context"
	"errors"
	"hash/crc32"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"stoa/ratelimit"
)

// longestKey is what memcached takes, in bytes.
const longestKey = 250

var errBadKey = errors.New("key is over 250 bytes long, or has blanks or control characters")

// A key is one counter of a call.
type key struct {
	name   string
	sum    uint32 // CRC-32 of the name
	server *server
	count  uint64 // stored, then with each hit of the call so far
	found  bool
	err    error // the key cannot be read, and will not be written
}

// distinct lists each key of the hits once, and for each hit its place there.
func distinct(servers []*server, hits []ratelimit.Hit) (keys []key, of []int) {
	keys, of = make([]key, 0, len(hits)), make([]int, len(hits))
	places := map[string]int{}
	for i := range hits {
		place, known := places[string(hits[i].Key)]
		if !known {
			place = len(keys)
			keys = append(keys, newKey(servers, hits[i].Key))
			if len(hits) > 1 {
				places[keys[place].name] = place
			}
		}
		of[i] = place
	}
	return keys, of
}

func newKey(servers []*server, name []byte) key {
	k := key{name: string(name), sum: crc32.ChecksumIEEE(name)}
	k.server = pick(servers, k.sum)
	if !legal(name) {
		k.err = errBadKey
	}
	return k
}

func legal(name []byte) bool {
	for _, b := range name {
		if b <= ' ' || b == 0x7f {
			return false
		}
	}
	return len(name) > 0 && len(name) <= longestKey
}

// read sets the stored count of the keys, or their err, and returns one of the
// errors.
func (c *Counter) read(ctx context.Context, keys []key) error {
	groups, legal := byServer(keys)
	span := c.startSpan(ctx, legal)
	ask(groups)
	found, err := c.judge(keys)
	c.metrics.keysRequested.Add(uint64(legal))
	c.metrics.keysFound.Add(uint64(found))
	if err == nil {
		c.metrics.multigetSuccess.Add(1)
	} else {
		c.metrics.multigetError.Add(1)
	}
	endSpan(span, err)
	return err
}

// ask asks all servers at the same time.
func ask(groups []group) {
	var others sync.WaitGroup
	for i, g := range groups {
		if i > 0 {
			others.Go(func() { g.server.read(g.keys) })
		}
	}
	if len(groups) > 0 {
		groups[0].server.read(groups[0].keys)
	}
	others.Wait()
}

// judge counts the keys found, logs what went wrong and returns it: a server's
// error rather than a bad key.
func (c *Counter) judge(keys []key) (found int, err error) {
	for i := range keys {
		switch k := &keys[i]; {
		case k.err == errBadKey:
			c.badKeys.warn("memcached cannot keep a key", k.err, "bytes", len(k.name), "key", k.name[:min(len(k.name), 80)])
			err = cmp.Or(err, k.err)
		case k.err != nil:
			c.reads.warn("passing without a count", k.err)
			err = k.err
		case k.found:
			found++
		}
	}
	return found, err
}

type group struct {
	server *server
	keys   []*key
}

// byServer groups the keys that can be asked for, and counts them.
func byServer(keys []key) (groups []group, legal int) {
	for i := range keys {
		k := &keys[i]
		if k.err != nil {
			continue
		}
		legal++
		at := 0
		for at < len(groups) && groups[at].server != k.server {
			at++
		}
		if at == len(groups) {
			groups = append(groups, group{server: k.server})
		}
		groups[at].keys = append(groups[at].keys, k)
	}
	return groups, legal
}

// startSpan returns nil without a tracer.
func (c *Counter) startSpan(ctx context.Context, keys int) trace.Span {
	if c.tracer == nil {
		return nil
	}
	_, span := c.tracer.Start(ctx, "Memcached Fetch Execution")
	if span.IsRecording() {
		span.SetAttributes(attribute.Int("keysToGet length", keys))
	}
	return span
}

func endSpan(span trace.Span, err error) {
	if span == nil {
		return
	}
	if err != nil {
		span.SetStatus(codes.Error, err.Error())
	}
	span.End()
}

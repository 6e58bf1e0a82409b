package polls

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

// maxCopies bounds the memory of copies: a copy with both of its texts is some
// 10 kB.
const maxCopies = 5000

// copies remembers polls, so that a read costs no query while nothing changes.
//
// A copy is served only if it is as new as the database was at some moment after
// the request came. On SQLite this process makes every change itself and knows
// (what operator commands change, it learns within a second); on PostgreSQL it asks
// for the versions, one question for all requests that wait.
type copies struct {
	db      *db.DB
	entries *otter.Cache[int64, *copyEntry]
	people  atomic.Int64
	feed    atomic.Int64
	asker   *versionAsker // nil: this process makes every change
	encode  encoder
}

// copyEntry is a poll's place in memory.
type copyEntry struct {
	known atomic.Int64 // the newest version that this process has heard of
	copy  atomic.Pointer[pollCopy]
	load  sync.Mutex
}

// pollCopy is a poll as it was, never changed.
type pollCopy struct {
	*poll
	people int64 // what present.people was before it was read

	full  func() wire.Tagged // what everybody sees
	brief func() []byte      // the same in lists
}

func newCopies(d *db.DB, e encoder) *copies {
	c := &copies{db: d, encode: e, entries: otter.Must(&otter.Options[int64, *copyEntry]{MaximumSize: maxCopies})}
	if d.Postgres() {
		c.asker = newVersionAsker(d)
	}
	return c
}

// present is what the database holds at a moment. The marks of a present are only
// good to be compared with those of others: where this process makes every change,
// it counts them itself, from 0 at its start.
type present struct {
	versions     map[int64]int64 // of polls, 0: no such poll; nil: they are in the entries
	people, feed int64
}

// ask returns what holds now, or later.
func (c *copies) ask(ctx context.Context, polls ...int64) (present, error) {
	if c.asker != nil {
		return c.asker.ask(ctx, polls)
	}
	return present{people: c.people.Load(), feed: c.feed.Load()}, nil
}

// poll returns a poll as it is now, nil when there is none. Deleted ones are there.
func (c *copies) poll(ctx context.Context, id int64) (*pollCopy, error) {
	now, err := c.ask(ctx, id)
	if err != nil {
		return nil, err
	}
	return c.at(ctx, id, now)
}

// at returns a poll as it was at a present, or later.
func (c *copies) at(ctx context.Context, id int64, now present) (*pollCopy, error) {
	if now.versions != nil && now.versions[id] == 0 {
		return nil, nil
	}
	e := c.entry(id)
	if copy := e.fresh(id, now); copy != nil {
		return copy, nil
	}
	e.load.Lock() // one reads for all who wait
	defer e.load.Unlock()
	if copy := e.fresh(id, now); copy != nil {
		return copy, nil
	}
	p, err := readPoll(ctx, c.db, id)
	if err != nil || p == nil {
		return nil, err
	}
	copy := &pollCopy{poll: p, people: now.people}
	copy.full = sync.OnceValue(func() wire.Tagged { return wire.NewTagged(c.encode.poll(p, nil)) })
	copy.brief = sync.OnceValue(func() []byte { return c.encode.brief(p) })
	e.copy.Store(copy)
	return copy, nil
}

func (e *copyEntry) fresh(id int64, now present) *pollCopy {
	copy := e.copy.Load()
	if copy == nil || copy.people < now.people || copy.version < max(e.known.Load(), now.versions[id]) {
		return nil
	}
	return copy
}

// entry is made before the poll is read: whoever commits a change afterwards finds
// it, and whoever did so before is seen by the reading.
func (c *copies) entry(id int64) *copyEntry {
	if e, ok := c.entries.GetIfPresent(id); ok {
		return e
	}
	e, _ := c.entries.ComputeIfAbsent(id, func() (*copyEntry, bool) { return new(copyEntry), false })
	return e
}

// raise is told of every committed change.
func (c *copies) raise(r raised) {
	if e, ok := c.entries.GetIfPresent(r.poll); ok {
		for known := e.known.Load(); known < r.version && !e.known.CompareAndSwap(known, r.version); known = e.known.Load() {
		}
	}
}

func (c *copies) raiseMark(name string) {
	switch name {
	case markPeople:
		c.people.Add(1)
	case markFeed:
		c.feed.Add(1)
	}
}

// forget makes every copy stale: the database was changed, and nobody knows how.
func (c *copies) forget() {
	c.people.Add(1)
	c.feed.Add(1)
}

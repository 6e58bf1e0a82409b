package polls

import (
	"context"
	"fmt"
	"slices"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

// maxAsked is how many polls one question is about, or a few more.
const maxAsked = 512

// askLimit is how long the database may take to answer a question.
const askLimit = 5 * time.Second

// versionAsker asks the database for the versions of polls. Requests that come
// while a question is under way share the next one: each answer was true at a
// moment after its request came.
type versionAsker struct {
	db      *db.DB
	waiting chan *versionQuestion
	closed  chan struct{} // when Run has ended
}

type versionQuestion struct {
	polls  []int64
	answer chan versionAnswer // has room for one
}

type versionAnswer struct {
	present
	err error
}

func newVersionAsker(d *db.DB) *versionAsker {
	return &versionAsker{db: d, waiting: make(chan *versionQuestion, 4*maxAsked), closed: make(chan struct{})}
}

func (a *versionAsker) ask(ctx context.Context, polls []int64) (present, error) {
	q := &versionQuestion{polls: polls, answer: make(chan versionAnswer, 1)}
	select {
	case a.waiting <- q:
	case <-ctx.Done():
		return present{}, ctx.Err()
	case <-a.closed:
		return present{}, errStopping
	}
	select {
	case answer := <-q.answer:
		return answer.present, answer.err
	case <-ctx.Done():
		return present{}, ctx.Err()
	case <-a.closed:
		return present{}, errStopping
	}
}

var errStopping = wire.Errorf(wire.Unavailable, "", "the service is stopping; try again in a moment")

// Run asks until the context ends.
func (a *versionAsker) Run(ctx context.Context) error {
	defer close(a.closed)
	for {
		var group []*versionQuestion
		n := 0
		select {
		case q := <-a.waiting:
			group, n = append(group, q), len(q.polls)
		case <-ctx.Done():
			return nil
		}
	fill:
		for n < maxAsked {
			select {
			case q := <-a.waiting:
				group, n = append(group, q), n+len(q.polls)
			default:
				break fill
			}
		}
		now, err := a.read(ctx, group)
		for _, q := range group {
			q.answer <- versionAnswer{now, err}
		}
	}
}

// read answers a group by one question.
func (a *versionAsker) read(ctx context.Context, group []*versionQuestion) (present, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	polls := []int64{0} // there is none: so that the list is never empty
	for _, q := range group {
		polls = append(polls, q.polls...)
	}
	slices.Sort(polls)
	polls = padded(slices.Compact(polls))
	rows, err := a.db.Query(ctx, "SELECT '', id, version FROM polls WHERE id IN ("+list(1, len(polls))+
		") UNION ALL SELECT name, 0, value FROM marks", anys(polls)...)
	if err != nil {
		return present{}, fmt.Errorf("ask for versions: %w", err)
	}
	defer rows.Close()
	now := present{versions: make(map[int64]int64, len(polls))}
	for rows.Next() {
		var name string
		var id, value int64
		if err := rows.Scan(&name, &id, &value); err != nil {
			return present{}, fmt.Errorf("ask for versions: %w", err)
		}
		switch name {
		case markPeople:
			now.people = value
		case markFeed:
			now.feed = value
		default:
			now.versions[id] = value
		}
	}
	return now, rows.Err()
}

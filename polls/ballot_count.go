package polls

import (
	"context"
	"errors"
	"slices"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

// countLimit bounds a group's transaction, so that a database that hangs does not
// hold its voters for ever.
const countLimit = 10 * time.Second

// count commits a group and answers it.
func (box *ballotBox) count(ctx context.Context, group []*ballot) {
	ctx, cancel := context.WithTimeout(ctx, countLimit)
	defer cancel()
	c, err := box.commit(ctx, group)
	if errors.Is(err, errStale) {
		box.heads.forget()
		c, err = box.commit(ctx, group)
	}
	switch {
	case errors.Is(err, errNothingToCount):
		err = nil
	case err != nil:
		box.heads.forget()
		box.failed(err)
	default:
		box.votes.Add(uint64(c.changed))
		box.commits.Add(1)
		box.heads.remember(c.polls)
		box.counted(c.raised(), c.popular)
	}
	box.known = 2*c.known > len(c.votes)
	c.answer(err)
}

// commit counts a group in one transaction.
func (box *ballotBox) commit(ctx context.Context, group []*ballot) (*count, error) {
	c := newCount(group, box.popularMinVotes)
	return c, box.db.InTx(ctx, func(tx *db.Tx) error {
		if !box.db.Postgres() { // whose statements cannot hang, and pay for a context that can end
			ctx = context.WithoutCancel(ctx)
		}
		if err := c.lockPolls(ctx, box.db, tx, box.heads); err != nil {
			return err
		}
		if err := c.lockVoters(ctx, box.db, tx); err != nil {
			return err
		}
		c.admit()
		if err := c.settle(ctx, box.db, tx, !box.known); err != nil {
			return err
		}
		c.sum()
		if err := c.verify(ctx, tx); err != nil {
			return err
		}
		if c.changed == 0 {
			return errNothingToCount
		}
		return c.addUp(ctx, box.db, tx)
	})
}

// answer tells every voter of the group what became of their ballot.
func (c *count) answer(err error) {
	for i, b := range c.group {
		v := c.verdicts[i]
		if err != nil && v.err == nil {
			v = verdict{err: err}
		}
		if v.err == nil {
			v.tally = c.polls[b.poll].tally
		}
		b.done <- v
	}
}

// errNothingToCount ends a transaction in which every ballot was refused or said
// what stood already.
var errNothingToCount = errors.New("nothing to count")

// count is the work on one group.
type count struct {
	group    []*ballot
	verdicts []verdict
	polls    map[int64]*countedPoll
	votes    []*countedVote // of everybody with a ballot that may count
	byKey    map[voteKey]*countedVote
	changed  int // of them, those whose row is another than before
	known    int // and those who had a row

	suspended []int64 // accounts that may not vote any more

	popularMinVotes int64
	popular         bool // a poll has just become popular enough for the recent list
}

// countedPoll is a poll as it is under the lock, and then with the group in it.
type countedPoll struct {
	pollHead
	oldPeak, peak int64 // the most standing votes ever
	changed       bool
	remembered    bool // and not read
}

func newCount(group []*ballot, popularMinVotes int64) *count {
	return &count{
		group: group, popularMinVotes: popularMinVotes, verdicts: make([]verdict, len(group)),
		polls: make(map[int64]*countedPoll, 8), votes: make([]*countedVote, 0, len(group)),
		byKey: make(map[voteKey]*countedVote, len(group)),
	}
}

// admit gives each voter their ballots. Whether a poll is still there is decided
// here, under the lock.
func (c *count) admit() {
	for i, b := range c.group {
		err := mayVote(c.polls[b.poll], b)
		if err == nil && slices.Contains(c.suspended, b.user) {
			err = errAccountGone
		}
		if err != nil {
			c.verdicts[i].err = err
			continue
		}
		key := voteKey{b.poll, b.voter}
		v := c.byKey[key]
		if v == nil {
			v = &countedVote{voteKey: key}
			c.byKey[key] = v
			c.votes = append(c.votes, v)
		}
		v.ballots = append(v.ballots, b)
	}
}

// sum adds the changed rows up, poll by poll. A voter whose ballots of this group
// ended where they began changed nothing.
func (c *count) sum() {
	for _, v := range c.votes {
		if v.old.choice != 0 {
			c.known++
		}
		if v.new == v.old {
			continue
		}
		c.changed++
		p := c.polls[v.poll]
		if !p.changed {
			p.changed = true
			p.version++
		}
		p.tally.add(v.old.choice, -1)
		p.tally.add(v.new.choice, 1)
		p.peak = max(p.peak, p.tally.total())
	}
}

func mayVote(p *countedPoll, b *ballot) error {
	if p == nil || !p.visibleTo(b.user, b.hasKey) {
		return errPollNotFound(b.poll)
	}
	return p.refuseUnready("")
}

// raised is how the polls stand after the commit.
func (c *count) raised() []raised {
	var polls []raised
	for id, p := range c.polls {
		if p.changed {
			polls = append(polls, raised{poll: id, version: p.version, tally: p.tally})
		}
	}
	return polls
}

// errPollNotFound is for what names no poll that the caller may see, 0 for what is no number of one.
func errPollNotFound(id int64) error {
	if id == 0 {
		return wire.Errorf(wire.PollNotFound, "poll_id", "there is no such poll")
	}
	return wire.Errorf(wire.PollNotFound, "poll_id", "there is no poll %d", id)
}

package polls

import (
	"context"
	"errors"
	"slices"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/credential"
	"stoa/polls/internal/wire"
)

// countLimit bounds a group's transaction, so that a database that hangs does not
// hold its voters for ever.
const countLimit = 10 * time.Second

// count commits a group and answers it.
func (box *ballotBox) count(ctx context.Context, group []*ballot) {
	ctx, cancel := context.WithTimeout(ctx, countLimit)
	defer cancel()
	c := newCount(group, box.popularMinVotes)
	err := box.db.InTx(ctx, func(tx *db.Tx) error {
		if !box.db.Postgres() { // whose statements cannot hang, and pay for a context that can end
			ctx = context.WithoutCancel(ctx)
		}
		if err := c.lockPolls(ctx, box.db, tx); err != nil {
			return err
		}
		if err := c.readOld(ctx, tx); err != nil {
			return err
		}
		c.fold()
		if len(c.touched) == 0 {
			return errNothingToCount
		}
		return c.write(ctx, box.db, tx)
	})
	switch {
	case errors.Is(err, errNothingToCount):
		err = nil
	case err != nil:
		box.failed(err)
	default:
		box.votes.Add(uint64(len(c.touched)))
		box.commits.Add(1)
		box.counted(c.raised(), c.popular)
	}
	for i, b := range group {
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
	votes    map[voteKey]*countedVote
	touched  []*countedVote // whose row changes, in the order of first change

	popularMinVotes int64
	popular         bool // a poll has just become popular enough for the recent list
}

type voteKey struct {
	poll  int64
	voter credential.Voter
}

// voteRow is a standing vote. choice 0: there is none.
type voteRow struct {
	id, user          int64
	choice            int
	castAt, changedAt int64
	seal              seal
}

// countedPoll is a poll as it is under the lock, and then with the group in it.
type countedPoll struct {
	pollHead
	old           tally
	oldPeak, peak int64 // the most standing votes ever
	changed       bool
}

// countedVote is a voter's row: as found, and as the group leaves it.
type countedVote struct {
	voteKey
	old     voteRow // choice 0: no row
	new     voteRow
	touched bool
}

func newCount(group []*ballot, popularMinVotes int64) *count {
	return &count{
		group: group, popularMinVotes: popularMinVotes, verdicts: make([]verdict, len(group)),
		polls: make(map[int64]*countedPoll, 8), votes: make(map[voteKey]*countedVote, len(group)),
	}
}

// fold applies the ballots in the order they came. What is a no-op, and whether a
// poll is still there, is decided here, under the lock.
func (c *count) fold() {
	for i, b := range c.group {
		p := c.polls[b.poll]
		if err := mayVote(p, b); err != nil {
			c.verdicts[i].err = err
			continue
		}
		v := c.votes[voteKey{b.poll, b.voter}]
		if v.new.choice == b.choice {
			continue
		}
		p.tally.add(v.new.choice, -1)
		p.tally.add(b.choice, 1)
		p.peak = max(p.peak, p.tally.total())
		v.apply(b)
		if !v.touched {
			v.touched = true
			c.touched = append(c.touched, v)
		}
	}
	// A voter whose ballots of this group ended where they began changed nothing.
	c.touched = slices.DeleteFunc(c.touched, func(v *countedVote) bool { return v.new == v.old })
	for _, v := range c.touched {
		p := c.polls[v.poll]
		if !p.changed {
			p.changed = true
			p.version++
		}
	}
}

func mayVote(p *countedPoll, b *ballot) error {
	if p == nil || !p.visibleTo(b.user, b.hasKey) {
		return errPollNotFound(b.poll)
	}
	if p.state != pollReady {
		return wire.Errorf(wire.PollNotReady, "", "poll %d has no image yet; upload it and announce it first", b.poll)
	}
	return nil
}

// apply changes the row as the ballot wants. A switch keeps the vote's number,
// its embed and its time of voting; a vote after a removal is a new one.
func (v *countedVote) apply(b *ballot) {
	switch at := db.Micros(b.at); {
	case b.choice == 0:
		v.new = voteRow{}
	case v.new.choice == 0:
		v.new = voteRow{user: b.user, choice: b.choice, castAt: at, changedAt: at, seal: b.seal}
	default:
		v.new.choice, v.new.changedAt = b.choice, at
	}
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

func errPollNotFound(id int64) error {
	return wire.Errorf(wire.PollNotFound, "poll_id", "there is no poll %d", id)
}

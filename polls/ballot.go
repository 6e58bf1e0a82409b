package polls

import (
	"context"
	"runtime"
	"time"

	"stoa/internal/db"
	"stoa/internal/stats"
	"stoa/polls/internal/credential"
	"stoa/polls/internal/wire"
)

// maxGroup is how many ballots share one commit at most.
const maxGroup = 512

// ballot is a wish to vote, to change one's mind or to take a vote back, on its
// way through the box.
type ballot struct {
	poll   int64
	voter  credential.Voter // as in the votes table
	user   int64            // 0 without an account
	choice int              // 1 or 2; 0 takes the vote back
	hasKey bool             // to a private poll
	seal   seal
	at     time.Time // when it was cast

	done chan verdict // has room for one
}

// seal says through which embed a vote came. Zero: through none.
type seal struct {
	embed    int64
	view     string
	votingMS int64
}

// verdict is what became of a ballot: the counts after the commit that holds it.
type verdict struct {
	tally tally
	err   error
}

// ballotBox commits waiting ballots in groups: whatever is waiting when the last
// commit ends goes into the next one, and all of them are answered after it. So
// a disk sync serves many votes, and a lone vote waits for nobody.
type ballotBox struct {
	boxOptions
	waiting chan *ballot
	closed  chan struct{} // when Run has ended
	heads   *pollHeads
	known   bool // most of the last group's voters had voted on their polls before

	votes, commits *stats.Counter
}

// boxOptions is what a ballot box is made of.
type boxOptions struct {
	db              *db.DB
	popularMinVotes int64
	counted         func(polls []raised, feed bool) // told after each commit, before its voters are
	failed          func(error)                     // told of commits that did not work
	stats           *stats.Registry
}

func newBallotBox(o boxOptions) *ballotBox {
	return &ballotBox{
		boxOptions: o, waiting: make(chan *ballot, 8*maxGroup), closed: make(chan struct{}), heads: newPollHeads(o.db),
		votes: o.stats.Counter("stoa.polls.votes"), commits: o.stats.Counter("stoa.polls.commits"),
	}
}

// cast hands a ballot in and waits for its verdict. A ballot whose caller left
// may still count.
func (box *ballotBox) cast(ctx context.Context, b *ballot) (tally, error) {
	b.done = make(chan verdict, 1)
	select {
	case box.waiting <- b:
	default:
		return tally{}, wire.Errorf(wire.Unavailable, "", "too many votes are waiting; try again in a moment")
	}
	select {
	case v := <-b.done:
		return v.tally, v.err
	case <-ctx.Done():
		return tally{}, ctx.Err()
	case <-box.closed:
		select { // it may have been among the last
		case v := <-b.done:
			return v.tally, v.err
		default:
		}
		return tally{}, errStopping
	}
}

// Run counts ballots until the context ends, and then those that still wait.
func (box *ballotBox) Run(ctx context.Context) error {
	defer close(box.closed)
	group := make([]*ballot, 0, maxGroup)
	for {
		group = group[:0]
		select {
		case b := <-box.waiting:
			group = append(group, b)
		case <-ctx.Done():
			select {
			case b := <-box.waiting:
				group = append(group, b)
			default:
				return nil
			}
		}
		group = box.fill(group)
		box.count(context.WithoutCancel(ctx), group)
	}
}

// fill takes what waits. It then lets others run, and takes what they have brought,
// as long as they bring something: on a busy machine requests that are read already
// would otherwise wait for a commit of their own. On an idle one it costs nothing.
func (box *ballotBox) fill(group []*ballot) []*ballot {
	for before := 0; before < len(group) && len(group) < maxGroup; {
		before = len(group)
		runtime.Gosched()
		for more := true; more && len(group) < maxGroup; {
			select {
			case b := <-box.waiting:
				group = append(group, b)
			default:
				more = false
			}
		}
	}
	return group
}

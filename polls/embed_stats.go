package polls

import (
	"context"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/text"
)

// Statistics is what the embeds of a publisher have reached.
type Statistics struct {
	Publisher Publisher
	Total     EmbedNumbers // people who met several embeds are counted once
	Embeds    []EmbedStatistics
}

// EmbedStatistics is an embed with its numbers.
type EmbedStatistics struct {
	Embed
	EmbedNumbers
}

// EmbedNumbers count what was recorded and stands.
type EmbedNumbers struct {
	Views, Viewers      int64
	Votes, Voters       int64
	VotingMS            int64
	FirstVote, LastVote time.Time // zero: no vote
}

// TimeVoting is in whole seconds.
func (n *EmbedNumbers) TimeVoting() int64 { return n.VotingMS / 1000 }

// PercentVoters is how many of a hundred viewers voted, with one decimal.
func (n *EmbedNumbers) PercentVoters() float64 { return ratio(100*n.Voters, n.Viewers, 10) }

// VotesPerVoter has two decimals.
func (n *EmbedNumbers) VotesPerVoter() float64 { return ratio(n.Votes, n.Voters, 100) }

// SecondsPerVoter has two decimals.
func (n *EmbedNumbers) SecondsPerVoter() float64 { return ratio(n.TimeVoting(), n.Voters, 100) }

// ratio is a / b in parts of 1 / parts, rounded half up; 0 when b is.
func ratio(a, b, parts int64) float64 {
	if b == 0 {
		return 0
	}
	return float64((2*parts*a+b)/(2*b)) / float64(parts)
}

// Statistics are those of all embeds of a publisher, newest first, at one moment.
// Who asks while they are being read gets the same ones.
func (s *Service) Statistics(ctx context.Context, publisher string) (Statistics, error) {
	read, err, _ := s.statistics.Do(text.Fold(publisher), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), statisticsLimit)
		defer cancel()
		var all Statistics
		err := s.db.InSnapshot(ctx, func(q *db.Tx) (err error) {
			if all.Publisher, err = readPublisher(ctx, q, publisher); err != nil {
				return err
			}
			all.Embeds, all.Total, err = readStatistics(ctx, q, all.Publisher.ID)
			return err
		})
		return all, err
	})
	return read.(Statistics), err
}

// statisticsLimit bounds the reading, which nobody can cut short alone.
const statisticsLimit = 30 * time.Second

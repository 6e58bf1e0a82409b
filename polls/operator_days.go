package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// Day is what happened on a day of UTC.
type Day struct {
	Date                   time.Time
	Votes, Polls, Accounts int64
}

// MaxDays is how far back statistics go.
const MaxDays = 366

const (
	day       = 24 * time.Hour
	dayMicros = "86400000000"
)

// Days is the last days of UTC, oldest first, today being the last: standing votes by
// when they were cast or changed, polls and accounts by when they were made, whatever
// became of them since. Of a publisher it is the votes that came through its embeds, and
// the polls of its team.
func (s *Service) Days(ctx context.Context, publisher string, n int) ([]Day, error) {
	if n < 1 || n > MaxDays {
		return nil, wire.Errorf(wire.InvalidParameter, "days", "days must be 1 to %d", MaxDays)
	}
	read, err, _ := s.days.Do(fmt.Sprintf("%d days of %s", n, text.Fold(publisher)), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), statisticsLimit)
		defer cancel()
		return s.readDays(ctx, publisher, n)
	})
	if err != nil {
		return nil, err
	}
	return read.([]Day), nil
}

func (s *Service) readDays(ctx context.Context, publisher string, n int) ([]Day, error) {
	first := time.Now().UTC().Truncate(day).Add(-day * time.Duration(n-1))
	days := make([]Day, n)
	for i := range days {
		days[i].Date = first.Add(day * time.Duration(i))
	}
	fill := func(q querier, to func(*Day) *int64, query string, args ...any) error {
		return readDayCounts(ctx, q, query, append([]any{db.Micros(first)}, args...), func(number, count int64) {
			if i := number - first.Unix()/int64(day/time.Second); i >= 0 && i < int64(n) {
				*to(&days[i]) = count
			}
		})
	}
	votes, polls, accounts := func(d *Day) *int64 { return &d.Votes }, func(d *Day) *int64 { return &d.Polls }, func(d *Day) *int64 { return &d.Accounts }
	err := s.db.InSnapshot(ctx, func(q *db.Tx) error {
		if publisher != "" {
			p, err := readPublisher(ctx, q, publisher)
			if err != nil {
				return err
			}
			if err := fill(q, votes, "SELECT cast_at / "+dayMicros+`, count(*) FROM votes
				WHERE embed_id IN (SELECT id FROM embeds WHERE publisher_id = $2) AND cast_at >= $1 GROUP BY 1`, p.ID); err != nil {
				return err
			}
			return fill(q, polls, "SELECT created_at / "+dayMicros+`, count(*) FROM polls
				WHERE created_at >= $1 AND creator_id IN (SELECT user_id FROM members WHERE publisher_id = $2) GROUP BY 1`, p.ID)
		}
		// By way of the polls, for the votes of each are in the order of their moments.
		if err := fill(q, votes, "SELECT changed_at / "+dayMicros+`, count(*) FROM polls
			JOIN votes ON poll_id = polls.id AND changed_at >= $1 GROUP BY 1`); err != nil {
			return err
		}
		if err := fill(q, polls, "SELECT created_at / "+dayMicros+", count(*) FROM polls WHERE created_at >= $1 GROUP BY 1"); err != nil {
			return err
		}
		return fill(q, accounts, "SELECT created_at / "+dayMicros+", count(*) FROM users WHERE created_at >= $1 GROUP BY 1")
	})
	return days, err
}

func readDayCounts(ctx context.Context, q querier, query string, args []any, each func(number, count int64)) error {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("count days: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var number, count int64
		if err := rows.Scan(&number, &count); err != nil {
			return fmt.Errorf("count days: %w", err)
		}
		each(number, count)
	}
	return rows.Err()
}

// Totals is how much there is at all.
type Totals struct {
	Polls, Hidden               int64 // that are ready; those that are hidden
	Votes, Accounts, Publishers int64
}

// Totals counts what is there now.
func (s *Service) Totals(ctx context.Context) (t Totals, err error) {
	ctx, cancel := context.WithTimeout(ctx, statisticsLimit)
	defer cancel()
	err = s.db.QueryRow(ctx, `SELECT
		(SELECT count(*) FROM polls WHERE state = 1),
		(SELECT count(*) FROM polls WHERE state = 3),
		(SELECT CAST(COALESCE(sum(first_votes + second_votes), 0) AS BIGINT) FROM polls WHERE state <> 2),
		(SELECT count(*) FROM users WHERE username <> ''),
		(SELECT count(*) FROM publishers)`).Scan(&t.Polls, &t.Hidden, &t.Votes, &t.Accounts, &t.Publishers)
	if err != nil {
		return t, fmt.Errorf("count everything: %w", err)
	}
	return t, nil
}

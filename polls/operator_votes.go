package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
)

// VoteSpan is the standing votes that were cast within some time.
type VoteSpan struct {
	Start time.Time
	Votes [2]int64
}

// manyHours is how long a poll is looked at hour by hour; then it is day by day.
const manyHours = 4 * day

// VoteSpans is when the standing votes of a poll were cast, oldest first, in spans of the
// length that is returned. Spans without votes are left out.
func (s *Service) VoteSpans(ctx context.Context, poll int64) (spans []VoteSpan, length time.Duration, err error) {
	r, err := s.Record(ctx, poll)
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, statisticsLimit)
	defer cancel()
	length = time.Hour
	if time.Since(r.Created) > manyHours {
		length = day
	}
	rows, err := s.db.Query(ctx, `SELECT cast_at / $2, choice, count(*) FROM votes WHERE poll_id = $1
		GROUP BY 1, 2 ORDER BY 1, 2`, poll, length.Microseconds())
	if err != nil {
		return nil, 0, fmt.Errorf("read votes of poll %d: %w", poll, err)
	}
	defer rows.Close()
	for rows.Next() {
		var number, count int64
		var choice int
		if err := rows.Scan(&number, &choice, &count); err != nil {
			return nil, 0, fmt.Errorf("read votes of poll %d: %w", poll, err)
		}
		start := db.Time(number * length.Microseconds())
		if len(spans) == 0 || !spans[len(spans)-1].Start.Equal(start) {
			spans = append(spans, VoteSpan{Start: start})
		}
		if choice == 1 || choice == 2 {
			spans[len(spans)-1].Votes[choice-1] = count
		}
	}
	return spans, length, rows.Err()
}

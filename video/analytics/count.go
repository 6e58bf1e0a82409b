package analytics

import (
	"context"
	"fmt"
)

// fact is a figure that is the sum of playbacks: its column in the sums, and how
// to compute it from the rows whose moment is in a time.
type fact struct {
	sum    string
	moment string
	row    string
}

var (
	factImpressions = fact{"impressions", "impression_at", "1"}
	factPlays       = fact{"plays", "anchor_at", "CASE WHEN x.play_at >= 0 THEN 1 ELSE 0 END"}
	factEnds        = fact{"ends", "end_at", "1"}
	factWaits       = fact{"waits", "anchor_at", "CASE WHEN x.waited_ms >= 0 THEN 1 ELSE 0 END"}
	factWaitMS      = fact{"wait_ms", "anchor_at", "CASE WHEN x.waited_ms >= 0 THEN x.waited_ms ELSE 0 END"}
	factWatchMS     = fact{"watch_ms", "anchor_at", "x.watched_ms"}
)

// factViews are playbacks in which at least so much was watched.
func factViews(column int) fact {
	seconds := viewSeconds[column]
	return fact{fmt.Sprintf("views_%d", seconds), "anchor_at", fmt.Sprintf("CASE WHEN x.watched_ms >= %d THEN 1 ELSE 0 END", seconds*1000)}
}

// sum is a fact in all groups: whole days and hours from their sums, what is
// before and after them from the rows.
func (s *Service) sum(ctx context.Context, q *query, f fact) (values, error) {
	levels := []level{levelDays, levelHours}
	switch q.unit {
	case microsMinute:
		levels = nil
	case microsHour:
		levels = levels[1:]
	}
	all := values{}
	return all, s.sumTime(ctx, q, f, q.from, q.to, levels, all)
}

// sumTime takes as much of a time as it can from the first level.
func (s *Service) sumTime(ctx context.Context, q *query, f fact, from, to int64, levels []level, all values) error {
	if from >= to {
		return nil
	}
	if len(levels) == 0 {
		return s.sumRows(ctx, q, f, from, to, all)
	}
	l, finer := levels[0], levels[1:]
	first, last := (from+l.unit-1)/l.unit, to/l.unit
	if first >= last {
		return s.sumTime(ctx, q, f, from, to, finer, all)
	}
	if err := s.sumLevel(ctx, q, f, l, first, last, all); err != nil {
		return err
	}
	if err := s.sumTime(ctx, q, f, from, first*l.unit, finer, all); err != nil {
		return err
	}
	return s.sumTime(ctx, q, f, last*l.unit, to, finer, all)
}

func (s *Service) sumLevel(ctx context.Context, q *query, f fact, l level, first, last int64, all values) error {
	var t text
	fmt.Fprintf(&t, "SELECT %s, %s, CAST(SUM(x.%s) AS BIGINT)", q.key(fmt.Sprintf("x.%s * %d", l.column, l.unit)), q.owner(), f.sum)
	q.where(&t, l.table)
	t.add(" AND x."+l.column+" >= %s AND x."+l.column+" < %s GROUP BY 1, 2", first, last)
	return s.addUp(ctx, q, &t, all)
}

func (s *Service) sumRows(ctx context.Context, q *query, f fact, from, to int64, all values) error {
	var t text
	fmt.Fprintf(&t, "SELECT %s, %s, CAST(SUM(%s) AS BIGINT)", q.key("x."+f.moment), q.owner(), f.row)
	q.where(&t, "analytics_playbacks")
	t.add(" AND x."+f.moment+" >= %s AND x."+f.moment+" < %s GROUP BY 1, 2", from, to)
	return s.addUp(ctx, q, &t, all)
}

func (s *Service) addUp(ctx context.Context, q *query, t *text, all values) error {
	var n int64
	return s.read(ctx, q, t, []any{&n}, func(group string) {
		if n != 0 {
			all[group] += float64(n)
		}
	})
}

// ratio divides one answer by another, group by group; what has no divisor is 0.
func ratio(above, below values, factor float64) values {
	all := values{}
	for group, n := range above {
		all[group] = 0
		if d := below[group]; d != 0 {
			all[group] = n / d * factor
		}
	}
	for group := range below {
		if _, there := above[group]; !there {
			all[group] = 0
		}
	}
	return all
}

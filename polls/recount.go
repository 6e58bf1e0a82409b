package polls

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

// Difference is a counter of a poll that does not say what its rows say.
type Difference struct {
	Poll    int64
	Counter string // first_votes, second_votes, favorites or comments
	Kept    int64  // by the counter
	Rows    int64
}

func (d Difference) String() string {
	return "poll " + strconv.FormatInt(d.Poll, 10) + ": " + d.Counter + " is " + strconv.FormatInt(d.Kept, 10) +
		", but there are " + strconv.FormatInt(d.Rows, 10)
}

// recountStep is how many polls are counted at a time.
const recountStep = 50

// Recount compares the counters of all polls with their rows, and tells every
// difference. With repair it also brings the counters to what the rows say, poll
// by poll, so that voters wait for one poll to be counted at most.
func (s *Service) Recount(ctx context.Context, repair bool, report func(Difference), progress Progress) error {
	var total int
	if err := s.db.QueryRow(ctx, "SELECT count(*) FROM polls WHERE state <> 2").Scan(&total); err != nil {
		return fmt.Errorf("count again: %w", err)
	}
	for last, done := int64(0), 0; ; {
		progress.tell("polls", done, total)
		polls, err := readCounters(ctx, s.db, "WHERE id > $1 AND state <> 2 ORDER BY id LIMIT $2", last, recountStep)
		if err != nil {
			return err
		}
		for _, p := range polls {
			if repair && len(p.differences()) > 0 {
				if p, err = s.repairCounters(ctx, p.poll); err != nil {
					return err
				}
			}
			for _, d := range p.differences() {
				report(d)
			}
			last = p.poll
		}
		done += len(polls)
		if len(polls) < recountStep {
			progress.end("polls", done)
			return nil
		}
	}
}

// counters are those of one poll, and what its rows say at the same moment.
type counters struct {
	poll       int64
	kept, rows [len(counterNames)]int64
}

var counterNames = [...]string{"first_votes", "second_votes", "favorites", "comments"}

func (c counters) differences() (all []Difference) {
	for i, name := range counterNames {
		if c.kept[i] != c.rows[i] {
			all = append(all, Difference{Poll: c.poll, Counter: name, Kept: c.kept[i], Rows: c.rows[i]})
		}
	}
	return all
}

func readCounters(ctx context.Context, q querier, which string, args ...any) ([]counters, error) {
	rows, err := q.Query(ctx, `SELECT id, first_votes, second_votes, favorite_count, comment_count,
		(SELECT count(*) FROM votes WHERE poll_id = polls.id AND choice = 1),
		(SELECT count(*) FROM votes WHERE poll_id = polls.id AND choice = 2),
		(SELECT count(*) FROM favorites WHERE poll_id = polls.id),
		(SELECT count(*) FROM comments WHERE poll_id = polls.id) FROM polls `+which, args...)
	if err != nil {
		return nil, fmt.Errorf("count again: %w", err)
	}
	defer rows.Close()
	var all []counters
	for rows.Next() {
		var c counters
		if err := rows.Scan(&c.poll, &c.kept[0], &c.kept[1], &c.kept[2], &c.kept[3],
			&c.rows[0], &c.rows[1], &c.rows[2], &c.rows[3]); err != nil {
			return nil, fmt.Errorf("count again: %w", err)
		}
		all = append(all, c)
	}
	return all, rows.Err()
}

// repairCounters counts a poll again under its lock, and returns what it found.
func (s *Service) repairCounters(ctx context.Context, poll int64) (found counters, err error) {
	err = s.change(ctx, func(c *change) error {
		if err := c.touch(ctx, poll); err != nil { // the lock
			return err
		}
		all, err := readCounters(ctx, c, "WHERE id = $1", poll)
		if err != nil {
			return err
		}
		found = all[0]
		if _, err := c.Exec(ctx, `UPDATE polls SET first_votes = $1, second_votes = $2, favorite_count = $3, comment_count = $4,
			peak_votes = CASE WHEN peak_votes < $5 THEN $5 ELSE peak_votes END WHERE id = $6`,
			found.rows[0], found.rows[1], found.rows[2], found.rows[3], found.rows[0]+found.rows[1], poll); err != nil {
			return fmt.Errorf("repair the counters of poll %d: %w", poll, err)
		}
		c.mark(markFeed)          // it may have become popular enough
		return c.touch(ctx, poll) // once more, with the new counts for those who watch
	})
	return found, err
}

const (
	recountEvery = 24 * time.Hour
	recountLease = time.Hour
)

// checkCounts counts again in the background, at the start and then daily. A
// difference is a defect, and is told in the log.
func (s *Service) checkCounts(ctx context.Context) error {
	check := func() {
		release, err := s.tryLease(ctx, "recount", recountLease)
		if release != nil {
			err = s.Recount(ctx, false, func(d Difference) {
				s.log.Error("a counter is wrong: run stoa polls recount --repair", "poll_id", d.Poll, "counter", d.Counter, "kept", d.Kept, "rows", d.Rows)
			}, nil)
			release()
		}
		if err != nil && ctx.Err() == nil {
			s.log.Warn("compare the counters with the votes", "error", err)
		}
	}
	check()
	return every(ctx, recountEvery, check)
}

package polls

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"stoa/internal/db"
)

var lockPolls = newSized(func(n int) string {
	return "SELECT " + pollHeadColumns + ", peak_votes FROM polls WHERE id IN (" + list(1, n) + ") ORDER BY id"
})

// lockPolls reads the polls of the group that are not remembered, and keeps others
// from changing them. Rows are locked in the order of their numbers, so that two
// processes never wait for each other.
func (c *count) lockPolls(ctx context.Context, d *db.DB, tx *db.Tx, known *pollHeads) error {
	ids := make([]int64, 0, len(c.group))
	for _, b := range c.group {
		if c.polls[b.poll] != nil {
			continue
		}
		if p := known.poll(b.poll); p != nil {
			c.polls[b.poll] = p
		} else {
			ids = append(ids, b.poll)
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for chunk := range chunks(ids) {
		rows, err := tx.Query(ctx, lockPolls.of(len(chunk))+d.ForUpdate(), anys(chunk)...)
		if err != nil {
			return fmt.Errorf("lock polls: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			p := new(countedPoll)
			if err := rows.Scan(append(p.targets(), &p.oldPeak)...); err != nil {
				return fmt.Errorf("lock polls: %w", err)
			}
			p.peak = p.oldPeak
			c.polls[p.id] = p
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("lock polls: %w", err)
		}
	}
	return nil
}

// lockVoters finds who of the group has been suspended meanwhile.
func (c *count) lockVoters(ctx context.Context, d *db.DB, tx *db.Tx) (err error) {
	var accounts []int64
	for _, b := range c.group {
		if b.user != 0 {
			accounts = append(accounts, b.user)
		}
	}
	c.suspended, err = lockWriters(ctx, d, tx, accounts)
	return err
}

// addVotes also says which version it was that the group was added to.
var addVotes = newSized(func(n int) string {
	if n == 1 { // what SQLite is asked every time
		return `UPDATE polls SET first_votes = $1, second_votes = $2, peak_votes = $3, version = version + 1 WHERE id = $4 AND version = $5`
	}
	return "WITH d (first, second, peak, id, version) AS (VALUES " + tuples(n, 5, "BIGINT", "BIGINT", "BIGINT", "BIGINT", "BIGINT") + `)
		UPDATE polls SET first_votes = d.first, second_votes = d.second, peak_votes = d.peak, version = polls.version + 1
		FROM d WHERE polls.id = d.id AND polls.version = d.version`
})

// addUp brings the counters to where the group leaves them.
func (c *count) addUp(ctx context.Context, d *db.DB, tx *db.Tx) error {
	changed := make([]*countedPoll, 0, len(c.polls))
	for _, p := range c.polls {
		if p.changed {
			changed = append(changed, p)
			c.popular = c.popular || p.oldPeak < c.popularMinVotes && p.peak >= c.popularMinVotes
		}
	}
	var args []any
	for chunk := range chunksOf(d.RowsAtOnce(), changed) {
		args = args[:0]
		for _, p := range chunk {
			args = append(args, p.tally.first, p.tally.second, p.peak, p.id, p.version-1)
		}
		result, err := tx.Exec(ctx, addVotes.of(len(chunk)), args...)
		if err != nil {
			return fmt.Errorf("count votes: %w", err)
		}
		if n, err := result.RowsAffected(); err != nil || int(n) < len(chunk) {
			return cmp.Or(err, errStale)
		}
	}
	if c.popular {
		return raiseMark(ctx, tx, markFeed)
	}
	return nil
}

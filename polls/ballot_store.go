package polls

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"stoa/internal/db"
)

var lockPolls = newSized(func(n int) string {
	return "SELECT " + pollHeadColumns + ", peak_votes FROM polls WHERE id IN (" + list(1, n) + ") ORDER BY id"
})

// lockPolls reads the polls of the group and keeps others from changing them. Rows
// are locked in the order of their numbers, so that two processes never wait for
// each other.
func (c *count) lockPolls(ctx context.Context, d *db.DB, tx *db.Tx) error {
	var ids []int64
	for _, b := range c.group {
		ids = append(ids, b.poll)
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
			p.old, p.peak = p.tally, p.oldPeak
			c.polls[p.id] = p
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("lock polls: %w", err)
		}
	}
	return nil
}

var readVotes = newSized(func(n int) string {
	return "WITH k (poll_id, voter) AS (VALUES " + tuples(n, 2, "BIGINT", "TEXT") + `)
		SELECT v.poll_id, v.voter, v.id, v.user_id, v.choice, v.cast_at, v.changed_at, v.embed_id, v.view_id, v.voting_ms
		FROM k JOIN votes v ON v.poll_id = k.poll_id AND v.voter = k.voter`
})

// readOld finds the votes that stand already.
func (c *count) readOld(ctx context.Context, tx *db.Tx) error {
	var keys []voteKey
	for _, b := range c.group {
		key := voteKey{b.poll, b.voter}
		if c.votes[key] == nil {
			c.votes[key] = &countedVote{voteKey: key}
			keys = append(keys, key)
		}
	}
	for chunk := range chunks(keys) {
		rows, err := tx.Query(ctx, readVotes.of(len(chunk)), voteKeyArgs(chunk)...)
		if err != nil {
			return fmt.Errorf("read votes: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var key voteKey
			var v voteRow
			var user, embed sql.NullInt64
			var view sql.NullString
			if err := rows.Scan(&key.poll, &key.voter, &v.id, &user, &v.choice, &v.castAt, &v.changedAt, &embed, &view, &v.seal.votingMS); err != nil {
				return fmt.Errorf("read votes: %w", err)
			}
			v.user, v.seal.embed, v.seal.view = user.Int64, embed.Int64, view.String
			c.votes[key].old, c.votes[key].new = v, v
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("read votes: %w", err)
		}
	}
	return nil
}

// write brings the rows and the counters to where the group leaves them.
func (c *count) write(ctx context.Context, d *db.DB, tx *db.Tx) error {
	if err := c.numberNew(ctx, d, tx); err != nil {
		return err
	}
	if err := c.store(ctx, d, tx); err != nil {
		return err
	}
	if err := c.remove(ctx, tx); err != nil {
		return err
	}
	return c.addUp(ctx, d, tx)
}

func (c *count) numberNew(ctx context.Context, d *db.DB, tx *db.Tx) error {
	var fresh []*countedVote
	for _, v := range c.touched {
		if v.new.choice != 0 && v.new.id == 0 {
			fresh = append(fresh, v)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	ids, err := d.NextIDs(ctx, tx, "vote_ids", len(fresh))
	if err != nil {
		return fmt.Errorf("number votes: %w", err)
	}
	for i, v := range fresh {
		v.new.id = ids[i]
	}
	return nil
}

var storeVotes = newSized(func(n int) string {
	return `INSERT INTO votes (poll_id, voter, id, user_id, choice, cast_at, changed_at, embed_id, view_id, voting_ms)
		VALUES ` + tuples(n, 10) + ` ON CONFLICT (poll_id, voter) DO UPDATE SET
		id = excluded.id, choice = excluded.choice, cast_at = excluded.cast_at, changed_at = excluded.changed_at,
		embed_id = excluded.embed_id, view_id = excluded.view_id, voting_ms = excluded.voting_ms`
})

// store writes the rows of standing votes. A new one that came through an embed
// also makes its voter a viewer, when the page has not told of the view.
func (c *count) store(ctx context.Context, d *db.DB, tx *db.Tx) error {
	cast := make([]*countedVote, 0, len(c.touched))
	var views []view
	for _, v := range c.touched {
		if v.new.choice == 0 {
			continue
		}
		cast = append(cast, v)
		if v.new.seal.embed != 0 && v.new.id != v.old.id {
			views = append(views, view{v.new.seal.embed, v.new.seal.view, v.voter, v.new.castAt})
		}
	}
	if err := recordViews(ctx, tx, views); err != nil {
		return err
	}
	args := make([]any, 0, 10*min(len(cast), maxRows))
	for chunk := range chunksOf(d.RowsAtOnce(), cast) {
		args = args[:0]
		for _, v := range chunk {
			args = append(args, v.poll, v.voter, v.new.id, orNull(v.new.user), v.new.choice, v.new.castAt, v.new.changedAt,
				orNull(v.new.seal.embed), orNull(v.new.seal.view), v.new.seal.votingMS)
		}
		if _, err := tx.Exec(ctx, storeVotes.of(len(chunk)), args...); err != nil {
			return fmt.Errorf("store votes: %w", err)
		}
	}
	return nil
}

var removeVotes = newSized(func(n int) string {
	return "WITH k (poll_id, voter) AS (VALUES " + tuples(n, 2, "BIGINT", "TEXT") + `)
		DELETE FROM votes WHERE (poll_id, voter) IN (SELECT poll_id, voter FROM k)`
})

func (c *count) remove(ctx context.Context, tx *db.Tx) error {
	var removed []voteKey
	for _, v := range c.touched {
		if v.new.choice == 0 {
			removed = append(removed, v.voteKey)
		}
	}
	for chunk := range chunks(removed) {
		if _, err := tx.Exec(ctx, removeVotes.of(len(chunk)), voteKeyArgs(chunk)...); err != nil {
			return fmt.Errorf("remove votes: %w", err)
		}
	}
	return nil
}

var addVotes = newSized(func(n int) string {
	if n == 1 { // what SQLite is asked every time
		return `UPDATE polls SET first_votes = first_votes + $2, second_votes = second_votes + $3,
			peak_votes = $4, version = version + 1 WHERE id = $1`
	}
	return "WITH d (id, first, second, peak) AS (VALUES " + tuples(n, 4, "BIGINT", "BIGINT", "BIGINT", "BIGINT") + `)
		UPDATE polls SET first_votes = first_votes + d.first, second_votes = second_votes + d.second,
		peak_votes = d.peak, version = version + 1 FROM d WHERE polls.id = d.id`
})

// addUp changes the counters by what the group adds up to.
func (c *count) addUp(ctx context.Context, d *db.DB, tx *db.Tx) error {
	var changed []*countedPoll
	for _, p := range c.polls {
		if p.changed {
			changed = append(changed, p)
			c.popular = c.popular || p.oldPeak < c.popularMinVotes && p.peak >= c.popularMinVotes
		}
	}
	for chunk := range chunksOf(d.RowsAtOnce(), changed) {
		var args []any
		for _, p := range chunk {
			args = append(args, p.id, p.tally.first-p.old.first, p.tally.second-p.old.second, p.peak)
		}
		if _, err := tx.Exec(ctx, addVotes.of(len(chunk)), args...); err != nil {
			return fmt.Errorf("count votes: %w", err)
		}
	}
	if c.popular {
		return raiseMark(ctx, tx, markFeed)
	}
	return nil
}

func voteKeyArgs(keys []voteKey) []any {
	args := make([]any, 0, 2*len(keys))
	for _, k := range keys {
		args = append(args, k.poll, k.voter)
	}
	return args
}

package polls

import (
	"context"
	"database/sql"
	"fmt"

	"stoa/internal/db"
)

// settle brings the rows of votes to where the ballots leave them. With guess
// everybody is taken for somebody who has not voted on the poll yet, and a row is
// read only when its insertion tells that there is one.
func (c *count) settle(ctx context.Context, d *db.DB, tx *db.Tx, guess bool) error {
	unsure := c.votes
	if guess {
		var err error
		if unsure, err = c.insert(ctx, d, tx); err != nil {
			return err
		}
	}
	if err := c.readOld(ctx, tx, unsure); err != nil {
		return err
	}
	var changed []*countedVote
	for _, v := range unsure {
		if !v.stored {
			if v.fold(); v.new != v.old {
				changed = append(changed, v)
			}
		}
	}
	if err := write(ctx, d, tx, changed); err != nil {
		return err
	}
	return c.recordViews(ctx, tx)
}

const insertVote = "INSERT INTO votes (poll_id, voter, id, user_id, choice, cast_at, changed_at, embed_id, view_id, voting_ms) VALUES "

var insertVotes = newSized(func(n int) string { return insertVote + tuples(n, 10) + " ON CONFLICT DO NOTHING" })

// insert stores the votes as if nobody had one, and returns those of whom it is
// not sure that this is so.
func (c *count) insert(ctx context.Context, d *db.DB, tx *db.Tx) (unsure []*countedVote, err error) {
	cast := make([]*countedVote, 0, len(c.votes))
	for _, v := range c.votes {
		if v.fold(); v.new.choice != 0 {
			cast = append(cast, v)
		} else {
			unsure = append(unsure, v)
		}
	}
	if err := number(ctx, d, tx, cast); err != nil {
		return nil, err
	}
	var args []any
	for chunk := range chunks(cast) {
		args = voteArgs(args[:0], chunk)
		result, err := tx.Exec(ctx, insertVotes.of(len(chunk)), args...)
		if err != nil {
			return nil, fmt.Errorf("insert votes: %w", err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return nil, fmt.Errorf("insert votes: %w", err)
		}
		if int(n) < len(chunk) {
			unsure = append(unsure, chunk...)
		}
	}
	return unsure, nil
}

var readVotes = newSized(func(n int) string {
	return "WITH k (poll_id, voter) AS (VALUES " + tuples(n, 2, "BIGINT", "TEXT") + `)
		SELECT v.poll_id, v.voter, v.id, v.user_id, v.choice, v.cast_at, v.changed_at, v.embed_id, v.view_id, v.voting_ms
		FROM k JOIN votes v ON v.poll_id = k.poll_id AND v.voter = k.voter`
})

// readOld finds the votes that stand already, and tells them from those that have
// just been stored.
func (c *count) readOld(ctx context.Context, tx *db.Tx, votes []*countedVote) error {
	for chunk := range chunks(votes) {
		rows, err := tx.Query(ctx, readVotes.of(len(chunk)), voteKeyArgs(chunk)...)
		if err != nil {
			return fmt.Errorf("read votes: %w", err)
		}
		defer rows.Close()
		for rows.Next() {
			var key voteKey
			var row voteRow
			var user, embed sql.NullInt64
			var view sql.NullString
			if err := rows.Scan(&key.poll, &key.voter, &row.id, &user, &row.choice, &row.castAt, &row.changedAt, &embed, &view, &row.seal.votingMS); err != nil {
				return fmt.Errorf("read votes: %w", err)
			}
			row.user, row.seal.embed, row.seal.view = user.Int64, embed.Int64, view.String
			v := c.byKey[key]
			if v.stored = row.id == v.new.id; !v.stored {
				v.old = row
			}
		}
		if err := rows.Err(); err != nil {
			return fmt.Errorf("read votes: %w", err)
		}
	}
	return nil
}

// recordViews makes those who voted through an embed its viewers, when the page has
// not told of the view.
func (c *count) recordViews(ctx context.Context, tx *db.Tx) error {
	var views []view
	for _, v := range c.votes {
		if v.new.seal.embed != 0 && v.fresh() {
			views = append(views, view{v.new.seal.embed, v.new.seal.view, v.voter, v.new.castAt})
		}
	}
	return recordViews(ctx, tx, views)
}

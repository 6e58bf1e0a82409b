package polls

import (
	"context"
	"fmt"

	"stoa/internal/db"
)

// write changes the rows of votes that were read.
func write(ctx context.Context, d *db.DB, tx *db.Tx, votes []*countedVote) error {
	var fresh, switched, removed []*countedVote
	for _, v := range votes {
		switch {
		case v.new.choice == 0:
			removed = append(removed, v)
		case v.new.id == 0:
			fresh = append(fresh, v)
		default:
			switched = append(switched, v)
		}
	}
	if err := number(ctx, d, tx, fresh); err != nil {
		return err
	}
	if err := store(ctx, d, tx, fresh); err != nil {
		return err
	}
	if err := switchOver(ctx, d, tx, switched); err != nil {
		return err
	}
	return remove(ctx, tx, removed)
}

func number(ctx context.Context, d *db.DB, tx *db.Tx, fresh []*countedVote) error {
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
	return insertVote + tuples(n, 10) + ` ON CONFLICT (poll_id, voter) DO UPDATE SET
		id = excluded.id, choice = excluded.choice, cast_at = excluded.cast_at, changed_at = excluded.changed_at,
		embed_id = excluded.embed_id, view_id = excluded.view_id, voting_ms = excluded.voting_ms`
})

// store writes the rows of new votes, also of those who took an old one back and
// voted again.
func store(ctx context.Context, d *db.DB, tx *db.Tx, votes []*countedVote) error {
	var args []any
	for chunk := range chunksOf(d.RowsAtOnce(), votes) {
		args = voteArgs(args[:0], chunk)
		if _, err := tx.Exec(ctx, storeVotes.of(len(chunk)), args...); err != nil {
			return fmt.Errorf("store votes: %w", err)
		}
	}
	return nil
}

var switchVotes = newSized(func(n int) string {
	if n == 1 { // what SQLite is asked every time
		return "UPDATE votes SET choice = $1, changed_at = $2 WHERE poll_id = $3 AND voter = $4"
	}
	return "WITH d (choice, changed_at, poll_id, voter) AS (VALUES " + tuples(n, 4, "SMALLINT", "BIGINT", "BIGINT", "TEXT") + `)
		UPDATE votes SET choice = d.choice, changed_at = d.changed_at FROM d WHERE votes.poll_id = d.poll_id AND votes.voter = d.voter`
})

func switchOver(ctx context.Context, d *db.DB, tx *db.Tx, votes []*countedVote) error {
	var args []any
	for chunk := range chunksOf(d.RowsAtOnce(), votes) {
		args = args[:0]
		for _, v := range chunk {
			args = append(args, v.new.choice, v.new.changedAt, v.poll, string(v.voter))
		}
		result, err := tx.Exec(ctx, switchVotes.of(len(chunk)), args...)
		if err != nil {
			return fmt.Errorf("switch votes: %w", err)
		}
		n, err := result.RowsAffected()
		if err == nil && int(n) != len(chunk) {
			err = fmt.Errorf("%d rows of %d were there", n, len(chunk))
		}
		if err != nil {
			return fmt.Errorf("switch votes: %w", err)
		}
	}
	return nil
}

var removeVotes = newSized(func(n int) string {
	return "WITH k (poll_id, voter) AS (VALUES " + tuples(n, 2, "BIGINT", "TEXT") + `)
		DELETE FROM votes WHERE (poll_id, voter) IN (SELECT poll_id, voter FROM k)`
})

func remove(ctx context.Context, tx *db.Tx, votes []*countedVote) error {
	for chunk := range chunks(votes) {
		if _, err := tx.Exec(ctx, removeVotes.of(len(chunk)), voteKeyArgs(chunk)...); err != nil {
			return fmt.Errorf("remove votes: %w", err)
		}
	}
	return nil
}

func voteArgs(args []any, votes []*countedVote) []any {
	for _, v := range votes {
		args = append(args, v.poll, string(v.voter), v.new.id, orNull(v.new.user), v.new.choice, v.new.castAt, v.new.changedAt,
			orNull(v.new.seal.embed), orNull(v.new.seal.view), v.new.seal.votingMS)
	}
	return args
}

func voteKeyArgs(votes []*countedVote) []any {
	args := make([]any, 0, 2*len(votes))
	for _, v := range votes {
		args = append(args, v.poll, string(v.voter))
	}
	return args
}

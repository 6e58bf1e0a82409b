package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"stoa/internal/db"
)

// shownVotes is how many votes a poll shows at most, and each planted one has: then
// the answer of a poll is as long while it is voted on as it was when recorded.
const shownVotes = 20

// plant makes ready polls, numbered from 1, with votes, and somebody who made them.
func plant(ctx context.Context, d *db.DB, polls int) error {
	now := db.Micros(time.Now())
	return d.InTx(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO users (id, username, username_key, email, email_key, password, name, location, website,
			about, social_username, operator, confirmed, suspended, created_at)
			VALUES (1, 'ann', 'ann', 'ann@polls.example', 'ann@polls.example', '', 'Ann', '', '', '', '', FALSE, TRUE, FALSE, $1)`, now); err != nil {
			return fmt.Errorf("plant: %w", err)
		}
		_, err := tx.Exec(ctx, numbers(d)+`INSERT INTO polls (id, version, state, creator_id, caption, choice1, choice2, private, first_votes,
			second_votes, peak_votes, favorite_count, comment_count, image_id, upload_key, upload_type, picture, picture_type,
			medium_width, medium_height, large_width, large_height, first_full_url, first_context_url, second_full_url,
			second_context_url, created_at, ready_at, deleted_at)
			SELECT i, 1, 1, 1, 'Tabs or spaces?', 'Tabs', 'Spaces', FALSE, 10, 10, 20, 0, 0, i, '', '', 'picture', 'image/jpeg',
			480, 360, 1280, 960, '', '', '', '', CAST($3 AS BIGINT), CAST($3 AS BIGINT), 0 FROM n`, 1, polls, now)
		if err != nil {
			return fmt.Errorf("plant: %w", err)
		}
		return plantVotes(ctx, d, tx, polls, now)
	})
}

func plantVotes(ctx context.Context, d *db.DB, tx *db.Tx, polls int, now int64) error {
	for j := range shownVotes {
		if _, err := tx.Exec(ctx, numbers(d)+`INSERT INTO votes (poll_id, voter, id, choice, cast_at, changed_at, voting_ms)
			SELECT i, CAST($4 AS TEXT), i * 20 + CAST($5 AS BIGINT), 1 + CAST($5 AS BIGINT) % 2, CAST($3 AS BIGINT), CAST($3 AS BIGINT), 0 FROM n`,
			1, polls, now, fmt.Sprintf("aplanted%02d", j), j); err != nil {
			return fmt.Errorf("plant votes: %w", err)
		}
	}
	_, err := d.NextIDs(ctx, tx, "vote_ids", (polls+1)*shownVotes)
	return err
}

// fill gives the first poll votes of people whose names lie evenly between those of
// the callers.
func fill(ctx context.Context, d *db.DB, votes int) error {
	const letters = "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz" // in the order of the index
	letter := func(shift int) string {
		return fmt.Sprintf("substr('%s', 1 + (i * 16 / 10 >> %d) %% 64, 1)", letters, shift)
	}
	now := db.Micros(time.Now().Add(-time.Hour))
	const batch = 100_000
	for first := 1; first <= votes; first += batch {
		last := min(first+batch-1, votes)
		err := d.InTx(ctx, func(tx *db.Tx) error {
			if _, err := tx.Exec(ctx, numbers(d)+`INSERT INTO votes (poll_id, voter, id, choice, cast_at, changed_at, voting_ms)
				SELECT 1, 'a' || `+letter(18)+" || "+letter(12)+" || "+letter(6)+" || "+letter(0)+` || substr('00000000000000000' || i, -18),
				i, 1 + i % 2, CAST($3 AS BIGINT) + i, CAST($3 AS BIGINT) + i, 0 FROM n`, first, last, now); err != nil {
				return fmt.Errorf("fill: %w", err)
			}
			_, err := tx.Exec(ctx, `UPDATE polls SET first_votes = first_votes + $1, second_votes = second_votes + $2, peak_votes = $3 WHERE id = 1`,
				(last-first+1)/2, last-first+1-(last-first+1)/2, last)
			return err
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "\rfill %d", last)
	}
	fmt.Fprintln(os.Stderr)
	return d.InTx(ctx, func(tx *db.Tx) error {
		_, err := d.NextIDs(ctx, tx, "vote_ids", votes)
		return err
	})
}

// numbers begins an INSERT that makes something of every number i from $1 to $2.
func numbers(d *db.DB) string {
	if d.Postgres() {
		return "WITH n (i) AS (SELECT generate_series(CAST($1 AS BIGINT), CAST($2 AS BIGINT))) "
	}
	return "WITH RECURSIVE n (i) AS (SELECT $1 UNION ALL SELECT i + 1 FROM n WHERE i < $2) "
}

package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"stoa/internal/db"
)

// readComments reads comments with numbers below one, newest first.
func readComments(ctx context.Context, q querier, poll, before int64, limit int) ([]comment, error) {
	rows, err := q.Query(ctx, `SELECT comments.id, body, comments.created_at, users.id, username, name
		FROM comments JOIN users ON users.id = user_id WHERE poll_id = $1 AND comments.id < $2
		ORDER BY comments.id DESC LIMIT $3`, poll, before, limit)
	if err != nil {
		return nil, fmt.Errorf("read comments of poll %d: %w", poll, err)
	}
	defer rows.Close()
	var comments []comment
	for rows.Next() {
		var c comment
		var created int64
		if err := rows.Scan(&c.id, &c.body, &created, &c.by.id, &c.by.username, &c.by.name); err != nil {
			return nil, fmt.Errorf("read comments of poll %d: %w", poll, err)
		}
		c.created = db.Time(created)
		comments = append(comments, c)
	}
	return comments, rows.Err()
}

// readFollows tells whether one account follows another.
func readFollows(ctx context.Context, q querier, follower, followed int64) (bool, error) {
	return exists(ctx, q, "SELECT 1 FROM follows WHERE follower_id = $1 AND followed_id = $2", follower, followed)
}

// readFavorite tells whether a poll is a favorite of an account.
func readFavorite(ctx context.Context, q querier, user, poll int64) (bool, error) {
	return exists(ctx, q, "SELECT 1 FROM favorites WHERE user_id = $1 AND poll_id = $2", user, poll)
}

// exists tells whether a query finds a row.
func exists(ctx context.Context, q querier, query string, args ...any) (bool, error) {
	var one int
	err := q.QueryRow(ctx, query, args...).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for a row: %w", err)
	}
	return true, nil
}

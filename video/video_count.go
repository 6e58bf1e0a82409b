package video

import (
	"context"
	"database/sql"
	"errors"

	"stoa/internal/db"
)

// countVideos tells how many videos of a project came into a state or left it, in the
// transaction in which they do. A transaction with several calls makes them in the
// order of states, so that no two wait for each other.
func countVideos(ctx context.Context, tx *db.Tx, project string, state videoState, delta int) error {
	_, err := tx.Exec(ctx, `INSERT INTO video_counts (project, state, videos) VALUES ($1, $2, $3)
		ON CONFLICT (project, state) DO UPDATE SET videos = video_counts.videos + excluded.videos`, project, state, delta)
	return err
}

// videosIn is how many videos a project has in a state.
func videosIn(ctx context.Context, from reader, project string, state videoState) (n int, err error) {
	err = from.QueryRow(ctx, `SELECT videos FROM video_counts WHERE project = $1 AND state = $2`, project, state).Scan(&n)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return n, err
}

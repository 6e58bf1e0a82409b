package video

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Showcase is the player's address and the title of the newest video with a tag that
// everybody may watch and that can be watched already; "" when there is none.
func (s *Service) Showcase(ctx context.Context, tag string) (player, title string, err error) {
	v := video{public: true}
	err = s.db.QueryRow(ctx, `SELECT v.id, v.title FROM video_tags t JOIN videos v ON v.id = t.video_id JOIN video_encodings e ON e.video_id = v.id
		WHERE t.tag = $1 AND v.state = $2 AND v.public AND e.playable ORDER BY v.created_at DESC, v.id DESC LIMIT 1`, tag, videoThere).Scan(&v.id, &v.title)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("find the newest video with tag %q: %w", tag, err)
	}
	_, player = s.placeOf(&v)
	return player, v.title, nil
}

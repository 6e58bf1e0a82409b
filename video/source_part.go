package video

import (
	"context"
	"database/sql"
)

// part is a file of a source.
type part struct {
	number int64 // or the first byte: what they are ordered by
	size   int64 // bytes
	blob   string
}

// readParts is the files that make the source of a video, one after the other.
func readParts(ctx context.Context, from reader, videoID string) ([]part, error) {
	var parts []part
	err := eachRow(ctx, from, func(rows *sql.Rows) error {
		var p part
		err := rows.Scan(&p.number, &p.size, &p.blob)
		parts = append(parts, p)
		return err
	}, `SELECT number, size, blob FROM video_parts WHERE video_id = $1 ORDER BY number`, videoID)
	return parts, err
}

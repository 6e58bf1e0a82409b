package video

import (
	"context"
	"database/sql"
	"io"

	"stoa/internal/db"
	"stoa/video/internal/live"
)

// readWindows gives a broadcast the windows of what is stored of it. Parts of a segment
// that was never finished are not among it: the number is used again.
func (s *Service) readWindows(ctx context.Context, b *broadcast) error {
	f := newFollower(s, b)
	if err := f.readHeads(ctx); err != nil {
		return err
	}
	return f.readSegments(ctx, nil)
}

// storedHead is a row of live_heads, without the bytes.
type storedHead struct {
	track string
	live.Head
}

func readHeads(ctx context.Context, from reader, id string) (heads []storedHead, err error) {
	err = eachRow(ctx, from, func(rows *sql.Rows) error {
		var h storedHead
		err := rows.Scan(&h.track, &h.Number, &h.Codec, &h.Clock, &h.Width, &h.Height)
		heads = append(heads, h)
		return err
	}, `SELECT track, number, codec, clock, width, height FROM live_heads WHERE broadcast_id = $1 ORDER BY track, number`, id)
	return heads, err
}

// storedSegment is a row of live_segments.
type storedSegment struct {
	track  string
	frames int
	live.Segment
}

func readLiveSegments(ctx context.Context, from reader, id string, first int) (segments []storedSegment, err error) {
	err = eachRow(ctx, from, func(rows *sql.Rows) error {
		var g storedSegment
		var at int64
		err := rows.Scan(&g.track, &g.Number, &g.Head, &g.Break, &g.Start, &g.Duration, &at, &g.Parts, &g.frames, &g.Size, &g.FirstFrame)
		g.At = db.Time(at)
		segments = append(segments, g)
		return err
	}, `SELECT track, number, head, broken, start, duration, at, parts, frames, size, first_frame
		FROM live_segments WHERE broadcast_id = $1 AND number >= $2 ORDER BY track, number`, id, first)
	return segments, err
}

// readBlob is all of a small file.
func (s *Service) readBlob(ctx context.Context, key string) ([]byte, error) {
	object, err := s.Blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	return io.ReadAll(object)
}

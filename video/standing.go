package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/encode"
	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/pieces"
)

// Standing is how a video stands, for operators who look at many at a time.
type Standing struct {
	VideoID   string
	State     string  // empty, uploading, fetching, waiting, encoding, ready or failed
	Share     float64 // 0 to 1: of what is uploading, arrived; of what is encoding, encoded
	Playable  bool    // the beginning can be watched, whatever the state
	Duration  time.Duration
	Problem   string // why it failed, for people
	Poster    string // another one for every picture; "" while there is none
	Watermark string // id of the one that is burnt in; "" none
}

// MaxStandings is how many can be asked for at once: a page of a list.
const MaxStandings = 100

// Standings tells of those of the named videos that are in the project, discarded ones
// too. It asks the database the same few questions for one as for many.
func (s *Service) Standings(ctx context.Context, project string, ids []string) ([]Standing, error) {
	if len(ids) == 0 || len(ids) > MaxStandings {
		return nil, nil
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	var found []*standing
	err := s.db.InSnapshot(ctx, func(tx *db.Tx) (err error) {
		if found, err = readStandings(ctx, tx, project, args); err != nil {
			return err
		}
		return countStandings(ctx, tx, found, args)
	})
	if err != nil {
		return nil, fmt.Errorf("how videos stand: %w", err)
	}
	all := make([]Standing, len(found))
	for i, f := range found {
		all[i] = f.told()
	}
	return all, nil
}

// standing is what the rows of a video say.
type standing struct {
	id        string
	ingest    ingestState
	form      pieces.Form
	total     int64 // parts or bytes
	poster    string
	watermark overlay
	encoding  encodingState // -1: there is none
	playable  bool
	media     ffmpeg.Media
	plan      encode.Plan
	problem   string

	parts, bytes int64 // that have arrived
	kept         int64 // segments
}

func readStandings(ctx context.Context, tx *db.Tx, project string, ids []any) (found []*standing, err error) {
	n := len(ids)
	err = eachRow(ctx, tx, func(rows *sql.Rows) error {
		f, err := scanStanding(rows)
		found = append(found, f)
		return err
	}, fmt.Sprintf(`SELECT v.id, v.ingest, v.upload_form, v.upload_total, v.thumbnail, v.watermark,
		COALESCE(e.state, -1), COALESCE(e.playable, FALSE), COALESCE(e.media, ''), COALESCE(e.plan, ''), COALESCE(e.problem, '')
		FROM videos v LEFT JOIN video_encodings e ON e.video_id = v.id
		WHERE v.id IN (%s) AND v.project = $%d AND v.state <> $%d ORDER BY v.id`, placeholders(n), n+1, n+2), append(ids[:n:n], project, videoDeleted)...)
	return found, err
}

func scanStanding(rows *sql.Rows) (*standing, error) {
	f := new(standing)
	var watermark, media, plan string
	err := rows.Scan(&f.id, &f.ingest, &f.form, &f.total, &f.poster, &watermark, &f.encoding, &f.playable, &media, &plan, &f.problem)
	if err != nil {
		return f, err
	}
	for _, kept := range []struct {
		text string
		to   any
	}{{watermark, &f.watermark}, {media, &f.media}, {plan, &f.plan}} {
		if kept.text == "" {
			continue
		}
		if err := json.Unmarshal([]byte(kept.text), kept.to); err != nil {
			return f, fmt.Errorf("video %s: %w", f.id, err)
		}
	}
	return f, nil
}

// countStandings reads how much has arrived, and how much is encoded.
func countStandings(ctx context.Context, tx *db.Tx, found []*standing, ids []any) error {
	byID := map[string]*standing{}
	for _, f := range found {
		byID[f.id] = f
	}
	for text, add := range map[string]func(f *standing, count, sum int64){
		`SELECT video_id, COUNT(*), CAST(SUM(kept) AS BIGINT) FROM video_chunks WHERE number >= 0 AND video_id IN (%s) GROUP BY video_id`: func(f *standing, _, kept int64) { f.kept = kept },
		`SELECT video_id, COUNT(*), CAST(SUM(size) AS BIGINT) FROM video_parts WHERE video_id IN (%s) GROUP BY video_id`:                  func(f *standing, parts, bytes int64) { f.parts, f.bytes = parts, bytes },
	} {
		err := eachRow(ctx, tx, func(rows *sql.Rows) error {
			var id string
			var count, sum int64
			err := rows.Scan(&id, &count, &sum)
			if f := byID[id]; f != nil {
				add(f, count, sum)
			}
			return err
		}, fmt.Sprintf(text, placeholders(len(ids))), ids...)
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *standing) told() Standing {
	t := Standing{VideoID: f.id, Playable: f.playable, Duration: f.media.Duration, Problem: f.problem, Poster: f.poster, Watermark: f.watermark.ID}
	switch {
	case f.encoding == encodingFailed:
		t.State = "failed"
	case f.encoding == encodingDone:
		t.State, t.Share = "ready", 1
	case f.encoding == encodingRunning:
		t.State, t.Share = "encoding", f.encoded()
	case f.ingest == ingestRunning:
		t.State = "fetching"
	case f.ingest != ingestOpen:
		t.State = "waiting"
	case f.parts > 0:
		t.State, t.Share = "uploading", f.arrived()
	default:
		t.State = "empty"
	}
	return t
}

func (f *standing) encoded() float64 {
	if f.plan.SegmentFrames == 0 {
		return 0
	}
	return share(f.kept, int64(f.plan.Segments()))
}

func (f *standing) arrived() float64 {
	if f.form == pieces.Bytes {
		return share(f.bytes, f.total)
	}
	return share(f.parts, f.total)
}

// share is 0 while the whole is not known.
func share(part, whole int64) float64 {
	if whole <= 0 {
		return 0
	}
	return min(1, float64(part)/float64(whole))
}

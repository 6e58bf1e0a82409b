package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// track is a WebVTT file that goes with a video: one for each language. It is kept
// as it came, for a malformed one simply does not show.
type track struct {
	language  string
	isDefault bool   // of captions: shown when the viewer says nothing
	blob      string // the key of the file
}

// trackKind is what the texts of a track are. It is the folder of its files too.
type trackKind string

const (
	captions trackKind = "captions"
	chapters trackKind = "chapters"
)

const (
	maxTrack  = 10 << 20 // bytes
	maxTracks = 700      // of a kind and a video; there are fewer languages for captions
	trackType = "text/vtt; charset=utf-8"
)

// errNoTrack is the answer to a language that a video has no track in.
var errNoTrack = problem.NotFound("language")

// putTrack stores a track, in place of the one that was there in this language, which
// it follows as the default.
func (s *Service) putTrack(ctx context.Context, project, videoID string, kind trackKind, language string, content []byte) (v *video, t track, err error) {
	if _, err := s.findVideo(ctx, s.db, project, videoID); err != nil {
		return nil, t, err
	}
	t = track{language: language, blob: "video/" + videoID + "/" + string(kind) + "/" + language + "-" + newID("") + ".vtt"}
	err = s.keepFile(ctx, t.blob, content, trackType, func(tx *db.Tx) (old string, err error) {
		if v, err = s.lockVideo(ctx, tx, project, videoID); err != nil {
			return "", err
		}
		was, err := findTrack(ctx, tx, videoID, kind, language)
		if errors.Is(err, errNoTrack) {
			err = checkRoom(ctx, tx, videoID, kind)
		}
		if err != nil {
			return "", err
		}
		t.isDefault = was.isDefault
		_, err = tx.Exec(ctx, `INSERT INTO video_tracks (video_id, kind, language, is_default, blob, created_at) VALUES ($1, $2, $3, FALSE, $4, $5)
			ON CONFLICT (video_id, kind, language) DO UPDATE SET blob = excluded.blob, created_at = excluded.created_at`,
			videoID, kind, language, t.blob, db.Micros(time.Now()))
		if err != nil {
			return "", err
		}
		return was.blob, touchVideo(ctx, tx, videoID)
	})
	return v, t, err
}

// checkRoom refuses one track too many.
func checkRoom(ctx context.Context, from reader, videoID string, kind trackKind) error {
	var n int
	err := from.QueryRow(ctx, `SELECT count(*) FROM video_tracks WHERE video_id = $1 AND kind = $2`, videoID, kind).Scan(&n)
	if err == nil && n >= maxTracks {
		err = problem.All(problem.Attribute("language", "There are %d %s already: delete one first.", n, kind))
	}
	return err
}

func findTrack(ctx context.Context, from reader, videoID string, kind trackKind, language string) (t track, err error) {
	err = from.QueryRow(ctx, `SELECT language, is_default, blob FROM video_tracks WHERE video_id = $1 AND kind = $2 AND language = $3`,
		videoID, kind, language).Scan(&t.language, &t.isDefault, &t.blob)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoTrack
	}
	return t, err
}

// track reads the track of a video in a language.
func (s *Service) track(ctx context.Context, project, videoID string, kind trackKind, language string) (v *video, t track, err error) {
	if v, err = s.findVideo(ctx, s.db, project, videoID); err != nil {
		return nil, t, err
	}
	t, err = findTrack(ctx, s.db, videoID, kind, language)
	return v, t, err
}

// listTracks is a page of the tracks of a video.
func (s *Service) listTracks(ctx context.Context, project, videoID string, kind trackKind, l list) (v *video, tracks []track, total int, err error) {
	if v, err = s.findVideo(ctx, s.db, project, videoID); err != nil {
		return nil, nil, 0, err
	}
	l.table, l.where, l.args = `video_tracks`, `video_id = $1 AND kind = $2`, []any{videoID, kind}
	l.columns, l.order = `language, is_default, blob`, `language`
	tracks, total, err = pageOf(ctx, s.db, l, func(rows *sql.Rows) (t track, err error) {
		return t, rows.Scan(&t.language, &t.isDefault, &t.blob)
	})
	return v, tracks, total, err
}

// deleteTrack forgets a track and its file.
func (s *Service) deleteTrack(ctx context.Context, project, videoID string, kind trackKind, language string) error {
	var old string
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockVideo(ctx, tx, project, videoID); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, `DELETE FROM video_tracks WHERE video_id = $1 AND kind = $2 AND language = $3 RETURNING blob`,
			videoID, kind, language).Scan(&old)
		if errors.Is(err, sql.ErrNoRows) {
			return errNoTrack
		}
		if err != nil {
			return err
		}
		return touchVideo(ctx, tx, videoID)
	})
	if err == nil {
		s.forgetFile(ctx, old)
	}
	return err
}

package video

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"github.com/google/uuid"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// createLiveStream makes a live stream of the fields of a body, where null is as good as
// absent.
func (s *Service) createLiveStream(ctx context.Context, project string, f fields) (*liveStream, error) {
	maps.DeleteFunc(f, func(name string, _ json.RawMessage) bool { return f.null(name) })
	now := db.Micros(time.Now())
	l := &liveStream{
		id: newID(liveStreamPrefix), project: project, version: 1, key: uuid.NewString(),
		public: true, restreams: []restream{}, created: now, updated: now,
	}
	problems := readLiveStream(f, l)
	if !f.has("name") {
		problems = append([]*problem.Error{problem.Required("name")}, problems...)
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := checkLiveStream(ctx, tx, l, f, problems); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO live_streams (id, project, version, name, name_key, name_order, stream_key, public, player_id,
			restreams, thumbnail, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, '', $11, $12)`,
			l.id, l.project, l.version, l.name, foldCase(l.name), titleOrder(l.name), l.key, l.public, l.playerID,
			asJSON(l.restreams), l.created, l.updated)
		return err
	})
	return l, err
}

// checkLiveStream refuses a body with problems, of which an unknown player is one more.
func checkLiveStream(ctx context.Context, tx *db.Tx, l *liveStream, f fields, problems []*problem.Error) error {
	if f.has("playerId") {
		named, err := references{
			{"playerId", `SELECT 1 FROM video_players WHERE id = $1 AND project = $2`, l.playerID},
		}.check(ctx, tx, l.project)
		if err != nil {
			return err
		}
		problems = append(problems, named...)
	}
	return problem.All(problems...)
}

// changeLiveStream applies the fields of a body: what is absent stays. Where a broadcast
// is sent on to was read when its publisher came.
func (s *Service) changeLiveStream(ctx context.Context, project, id string, f fields) (l *liveStream, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if l, err = s.lockLiveStream(ctx, tx, project, id); err != nil {
			return err
		}
		if err := checkLiveStream(ctx, tx, l, f, readLiveStream(f, l)); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `UPDATE live_streams SET name = $2, name_key = $3, name_order = $4, public = $5, player_id = $6, restreams = $7 WHERE id = $1`,
			id, l.name, foldCase(l.name), titleOrder(l.name), l.public, l.playerID, asJSON(l.restreams))
		if err != nil {
			return err
		}
		l, err = touchedLiveStream(ctx, tx, project, id)
		return err
	})
	return l, err
}

// touchedLiveStream is a live stream with its new version.
func touchedLiveStream(ctx context.Context, tx *db.Tx, project, id string) (*liveStream, error) {
	if err := touchLiveStream(ctx, tx, id); err != nil {
		return nil, err
	}
	return findLiveStream(ctx, tx, project, id)
}

// completeLiveStream ends the broadcast that goes on, if one does. Its publisher may
// stay for a while, unheard.
func (s *Service) completeLiveStream(ctx context.Context, project, id string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockLiveStream(ctx, tx, project, id); err != nil {
			return err
		}
		return s.endBroadcastOf(ctx, tx, id)
	})
}

// deleteLiveStream forgets a live stream and its key. Its recordings are videos and
// stay.
func (s *Service) deleteLiveStream(ctx context.Context, project, id string) error {
	var l *liveStream
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if l, err = s.lockLiveStream(ctx, tx, project, id); err != nil {
			return err
		}
		if err := s.endBroadcastOf(ctx, tx, id); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM live_streams WHERE id = $1`, id)
		return err
	})
	if err == nil && l.thumbnail != "" {
		s.forgetFile(ctx, liveThumbnailKey(id, l.thumbnail))
	}
	return err
}

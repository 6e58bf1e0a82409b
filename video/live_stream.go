package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// liveStream is what broadcasts are sent to and watched at.
type liveStream struct {
	id, project string
	version     int64
	name        string
	key         string // whoever has it can publish
	public      bool
	playerID    string
	restreams   []restream
	thumbnail   string // names the file that was sent, "" none
	created     int64  // microseconds
	updated     int64
	seen        int64 // when its publisher was last heard of, 0 nobody publishes
}

// restream is a server that gets what is published too, untouched.
type restream struct {
	Name      string `json:"name"`
	ServerURL string `json:"serverUrl"`
	StreamKey string `json:"streamKey"`
}

// onAirLife is how long a publisher counts as there after the last sign of the process
// that it sends to, which gives one each second.
const onAirLife = 5 * time.Second

// broadcasting tells whether somebody publishes.
func (l *liveStream) broadcasting(now time.Time) bool {
	return l.seen > 0 && now.Sub(db.Time(l.seen)) <= onAirLife
}

// errNoLiveStream is the answer to an id that names no live stream of the project.
var errNoLiveStream = problem.NotFound("liveStreamId")

// liveStreamColumns are read by scanLiveStream, from live_streams alone. A stream has
// one broadcast at most that has not ended.
const liveStreamColumns = `id, project, version, name, stream_key, public, player_id, restreams, thumbnail, created_at, updated_at,
	coalesce((SELECT b.seen_at FROM live_broadcasts b WHERE b.live_stream_id = live_streams.id AND NOT b.ended AND b.on_air), 0)`

func scanLiveStream(row interface{ Scan(...any) error }) (*liveStream, error) {
	l := new(liveStream)
	var restreams string
	err := row.Scan(&l.id, &l.project, &l.version, &l.name, &l.key, &l.public, &l.playerID, &restreams, &l.thumbnail, &l.created, &l.updated, &l.seen)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(restreams), &l.restreams); err != nil {
		return nil, fmt.Errorf("restreams of the live stream %s: %w", l.id, err)
	}
	return l, nil
}

// findLiveStream reads a live stream of a project.
func findLiveStream(ctx context.Context, from reader, project, id string) (*liveStream, error) {
	return oneLiveStream(ctx, from, id, ` AND project = $2`, project)
}

// lockLiveStream is findLiveStream for who is going to change it: in a transaction,
// until whose end nobody else does.
func (s *Service) lockLiveStream(ctx context.Context, tx *db.Tx, project, id string) (*liveStream, error) {
	return oneLiveStream(ctx, tx, id, ` AND project = $2`+s.db.ForUpdate(), project)
}

func oneLiveStream(ctx context.Context, from reader, id, where string, args ...any) (*liveStream, error) {
	if !isID(liveStreamPrefix, id) {
		return nil, errNoLiveStream
	}
	l, err := scanLiveStream(from.QueryRow(ctx, `SELECT `+liveStreamColumns+` FROM live_streams WHERE id = $1`+where, append([]any{id}, args...)...))
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoLiveStream
	}
	return l, err
}

// liveStreamByKey reads the live stream that a publisher's key belongs to.
func (s *Service) liveStreamByKey(ctx context.Context, key string) (*liveStream, error) {
	if parsed, err := uuid.Parse(key); err != nil || parsed.String() != key {
		return nil, errNoLiveStream
	}
	l, err := scanLiveStream(s.db.QueryRow(ctx, `SELECT `+liveStreamColumns+` FROM live_streams WHERE stream_key = $1`, key))
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoLiveStream
	}
	return l, err
}

// touchLiveStream raises the version of a live stream, in the transaction that changes
// something that an answer or a page shows of it.
func touchLiveStream(ctx context.Context, tx *db.Tx, id string) error {
	_, err := tx.Exec(ctx, `UPDATE live_streams SET version = version + 1, updated_at = $2 WHERE id = $1`, id, db.Micros(time.Now()))
	return err
}

package video

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/live"
	"stoa/video/internal/webhook"
)

// broadcastRow is a broadcast as it is stored. Times are microseconds, 0 for none.
type broadcastRow struct {
	id, streamID, project string
	videoID               string // of the recording
	run                   int
	onAir                 bool
	ended                 bool
	recorded              bool
	version               int64
	title                 string // of the recording, as are the next two
	public                bool
	playerID              string
	started               int64 // when its first frame came
	seen                  int64
	left                  int64
	endedAt               int64
}

const (
	// awayTime is how long a publisher may be away.
	awayTime = time.Minute

	// liveChannel tells of broadcasts, by their ids, that have changed in the database.
	liveChannel = "live"
)

const broadcastColumns = `id, live_stream_id, project, video_id, run, on_air, ended, recorded, version, title, public, player_id,
	started_at, seen_at, left_at, ended_at`

func scanBroadcast(row interface{ Scan(...any) error }) (b broadcastRow, err error) {
	err = row.Scan(&b.id, &b.streamID, &b.project, &b.videoID, &b.run, &b.onAir, &b.ended, &b.recorded, &b.version, &b.title, &b.public, &b.playerID,
		&b.started, &b.seen, &b.left, &b.endedAt)
	return b, err
}

// lockBroadcast reads a broadcast and keeps it from changing until the transaction
// ends; sql.ErrNoRows says that there is none. Who locks its stream too does so before.
func (s *Service) lockBroadcast(ctx context.Context, tx *db.Tx, where string, args ...any) (broadcastRow, error) {
	return scanBroadcast(tx.QueryRow(ctx, `SELECT `+broadcastColumns+` FROM live_broadcasts WHERE `+where+s.db.ForUpdate(), args...))
}

// held tells whether a publisher is there whose process shows signs of life.
func (b broadcastRow) held(now time.Time) bool {
	return b.left == 0 && now.Sub(db.Time(b.seen)) <= onAirLife
}

// over tells whether the publisher has been away for too long.
func (b broadcastRow) over(now time.Time) bool {
	return now.Sub(db.Time(max(b.left, b.seen))) > awayTime
}

// openBroadcast begins the broadcast of a stream for a publisher, or goes on with it. It
// answers live.ErrBusy if somebody else publishes.
func (s *Service) openBroadcast(ctx context.Context, l *liveStream) (b broadcastRow, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockLiveStream(ctx, tx, l.project, l.id); errors.Is(err, errNoLiveStream) {
			return live.ErrUnknownKey
		} else if err != nil {
			return err
		}
		now := time.Now()
		b, err = s.lockBroadcast(ctx, tx, `live_stream_id = $1 AND NOT ended`, l.id)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			b, err = insertBroadcast(ctx, tx, l, now)
			return err
		case err != nil:
			return err
		case b.held(now):
			return live.ErrBusy
		case b.over(now):
			if err := s.endBroadcast(ctx, tx, b); err != nil {
				return err
			}
			b, err = insertBroadcast(ctx, tx, l, now)
			return err
		}
		b.run, b.onAir, b.left, b.seen = b.run+1, false, 0, db.Micros(now)
		_, err = tx.Exec(ctx, `UPDATE live_broadcasts SET run = $2, on_air = FALSE, left_at = 0, seen_at = $3, version = version + 1 WHERE id = $1`,
			b.id, b.run, b.seen)
		if err != nil {
			return err
		}
		// A process that died has left the parts of a segment that is cut anew now.
		_, err = tx.Exec(ctx, `DELETE FROM live_parts WHERE broadcast_id = $1`, b.id)
		return err
	})
	return b, err
}

func insertBroadcast(ctx context.Context, tx *db.Tx, l *liveStream, now time.Time) (broadcastRow, error) {
	b := broadcastRow{
		id: newID(broadcastPrefix), streamID: l.id, project: l.project, videoID: newID(videoPrefix), run: 1, version: 1,
		title: l.name, public: l.public, playerID: l.playerID, seen: db.Micros(now),
	}
	_, err := tx.Exec(ctx, `INSERT INTO live_broadcasts (`+broadcastColumns+`) VALUES (`+placeholders(16)+`)`,
		b.id, b.streamID, b.project, b.videoID, b.run, b.onAir, b.ended, b.recorded, b.version, b.title, b.public, b.playerID,
		b.started, b.seen, b.left, b.endedAt)
	return b, err
}

// findPlace is where a broadcast goes on.
func findPlace(ctx context.Context, from reader, id string) (live.Place, error) {
	place := live.Place{Heads: map[string]int{}, Clocks: map[string]int64{}}
	err := eachRow(ctx, from, func(rows *sql.Rows) error {
		var track string
		var number int
		var clock int64
		err := rows.Scan(&track, &number, &clock)
		place.Heads[track], place.Clocks[track] = number+1, clock
		return err
	}, `SELECT track, MAX(number), MAX(clock) FROM live_heads WHERE broadcast_id = $1 GROUP BY track`, id)
	if err != nil {
		return place, err
	}
	err = eachRow(ctx, from, func(rows *sql.Rows) error {
		var track string
		var number int
		var end int64
		if err := rows.Scan(&track, &number, &end); err != nil {
			return err
		}
		place.Segment = max(place.Segment, number+1)
		place.Time = max(place.Time, unitsToTime(end, place.Clocks[track]))
		return nil
	}, `SELECT track, MAX(number), MAX(start + duration) FROM live_segments WHERE broadcast_id = $1 GROUP BY track`, id)
	return place, err
}

// unitsToTime is how long some units of a track's clock are.
func unitsToTime(units, clock int64) time.Duration {
	if clock <= 0 {
		return 0
	}
	whole, rest := units/clock, units%clock
	return time.Duration(whole)*time.Second + time.Duration(rest)*time.Second/time.Duration(clock)
}

// goOnAir says that frames come, and tells webhooks if they are the first ones.
func (s *Service) goOnAir(ctx context.Context, tx *db.Tx, id string, run int) error {
	b, err := s.lockBroadcast(ctx, tx, `id = $1 AND run = $2`, id, run)
	if errors.Is(err, sql.ErrNoRows) {
		return errOver
	}
	if err != nil || b.ended {
		return err
	}
	now := db.Micros(time.Now())
	_, err = tx.Exec(ctx, `UPDATE live_broadcasts SET on_air = TRUE, seen_at = $2, version = version + 1,
		started_at = CASE WHEN started_at = 0 THEN $2 ELSE started_at END WHERE id = $1`, id, now)
	if err != nil || b.started > 0 {
		return err
	}
	return s.emit(ctx, tx, b.project, webhook.Event{Type: webhook.BroadcastStarted, LiveStreamID: b.streamID})
}

// goOffAir says that frames come no longer. The publisher is still there, as what he
// sent last is being stored.
func (s *Service) goOffAir(ctx context.Context, id string, run int) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE live_broadcasts SET on_air = FALSE, version = version + 1 WHERE id = $1 AND run = $2 AND on_air`, id, run)
		return err
	})
}

// leaveBroadcast says that a publisher has left, after everything that he sent is
// stored. If that is nothing at all, nothing is left of the broadcast. It tells whether
// the broadcast is over.
func (s *Service) leaveBroadcast(ctx context.Context, id string, run int) (over bool) {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		b, err := s.lockBroadcast(ctx, tx, `id = $1 AND run = $2`, id, run)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return err
		}
		over = b.ended
		if b.ended {
			return s.record(ctx, tx, id)
		}
		_, err = tx.Exec(ctx, `UPDATE live_broadcasts SET on_air = FALSE, left_at = $2, version = version + 1 WHERE id = $1`, id, db.Micros(time.Now()))
		if err != nil || b.started > 0 {
			return err
		}
		over = true
		return s.dropBroadcast(ctx, tx, b)
	})
	if err != nil {
		s.log.Warn("it is not stored that a publisher has left, and is seen soon", "broadcast_id", id, "error", err)
	}
	s.tellLive(ctx, id)
	return over
}

// endBroadcastOf ends what is broadcast to a stream, if anything is. The next publisher
// begins another one.
func (s *Service) endBroadcastOf(ctx context.Context, tx *db.Tx, streamID string) error {
	b, err := s.lockBroadcast(ctx, tx, `live_stream_id = $1 AND NOT ended`, streamID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.endBroadcast(ctx, tx, b)
}

// endBroadcast ends a locked broadcast. If its publisher is there, he makes the
// recording when everything is stored; else it is made with this transaction.
func (s *Service) endBroadcast(ctx context.Context, tx *db.Tx, b broadcastRow) error {
	now := time.Now()
	tx.AfterCommit(func() {
		s.broadcasts.finish(b.id)
		s.tellLive(ctx, b.id)
	})
	if b.started == 0 && !b.held(now) { // nobody has seen anything of it
		return s.dropBroadcast(ctx, tx, b)
	}
	_, err := tx.Exec(ctx, `UPDATE live_broadcasts SET ended = TRUE, on_air = FALSE, ended_at = $2, version = version + 1,
		title = COALESCE((SELECT name FROM live_streams l WHERE l.id = live_stream_id), title),
		public = COALESCE((SELECT l.public FROM live_streams l WHERE l.id = live_stream_id), public),
		player_id = COALESCE((SELECT l.player_id FROM live_streams l WHERE l.id = live_stream_id), player_id) WHERE id = $1`, b.id, db.Micros(now))
	if err != nil {
		return err
	}
	if b.started > 0 {
		if err := s.emit(ctx, tx, b.project, webhook.Event{Type: webhook.BroadcastEnded, LiveStreamID: b.streamID}); err != nil {
			return err
		}
	}
	if b.held(now) {
		return nil
	}
	return s.record(ctx, tx, b.id)
}

// dropBroadcast forgets a broadcast of which there is nothing.
func (s *Service) dropBroadcast(ctx context.Context, tx *db.Tx, b broadcastRow) error {
	if _, err := tx.Exec(ctx, `DELETE FROM live_broadcasts WHERE id = $1`, b.id); err != nil {
		return err
	}
	return s.addRemoval(ctx, tx, b.videoID)
}

// tellLive has other processes look at a broadcast. Who misses it looks by himself.
func (s *Service) tellLive(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := s.db.Notify(ctx, liveChannel, id); err != nil {
		s.log.Debug("tell of a broadcast", "broadcast_id", id, "error", fmt.Errorf("notify: %w", err))
	}
}

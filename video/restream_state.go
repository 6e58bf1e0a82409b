package video

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
	onward "stoa/video/internal/restream"
)

// RestreamState is how it stands with one restream of a live stream, for operators.
type RestreamState struct {
	Name    string
	Host    string    // of the server; the rest of its address can be secret
	Phase   string    // idle while nobody publishes; connecting, live, waiting (to try again), refused (by the server)
	Message string    // the last failure, ""
	Lost    int64     // frames that were left out until it came into this phase
	Changed time.Time // when it did; zero: idle
}

// idle is the phase of a restream while nobody publishes.
const idle = "idle"

// Restreams is how it stands with the restreams of a live stream of any project, in the
// order of its list.
func (s *Service) Restreams(ctx context.Context, liveStream string) ([]RestreamState, error) {
	l, err := oneLiveStream(ctx, s.db, liveStream, "")
	if errors.Is(err, errNoLiveStream) {
		return nil, fault.New(fault.NotFound, "there is no live stream %s", liveStream)
	}
	if err != nil {
		return nil, err
	}
	all := make([]RestreamState, len(l.restreams))
	for i, r := range l.restreams {
		all[i] = RestreamState{Name: r.Name, Host: r.host(), Phase: idle}
	}
	return all, s.readRestreams(ctx, l, all)
}

// readRestreams fills in what is stored while a publisher is there.
func (s *Service) readRestreams(ctx context.Context, l *liveStream, all []RestreamState) error {
	rows, err := s.db.Query(ctx, `SELECT number, target, phase, message, lost, changed_at FROM live_restreams WHERE live_stream_id = $1
		AND EXISTS (SELECT 1 FROM live_broadcasts b WHERE b.live_stream_id = $1 AND NOT ended AND left_at = 0 AND seen_at >= $2)`,
		l.id, db.Micros(time.Now().Add(-onAirLife)))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var number int
		var target string
		var changed int64
		var now RestreamState
		if err := rows.Scan(&number, &target, &now.Phase, &now.Message, &now.Lost, &changed); err != nil {
			return err
		}
		if number >= len(all) || target != l.restreams[number].ServerURL || now.Phase == string(onward.Ended) {
			continue // of an older list, or of a publisher who has left
		}
		now.Name, now.Host, now.Changed = all[number].Name, all[number].Host, db.Time(changed)
		all[number] = now
	}
	return rows.Err()
}

func (r *restream) host() string {
	u, err := url.Parse(r.ServerURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// noteTime is how long it may take to store a state, while the restream waits.
const noteTime = 5 * time.Second

// maxRestreamMessage is how much of a failure is kept, in bytes.
const maxRestreamMessage = 300

// noteRestream stores a state, so that every process can tell it.
func (s *Service) noteRestream(liveStream string, number int, target restream, now onward.State, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.Background(), noteTime)
	defer cancel()
	message := ""
	if now.Err != nil && now.Phase != onward.Live {
		message, _, _ = strings.Cut(now.Err.Error(), "\n")
		message = strings.ToValidUTF8(message[:min(len(message), maxRestreamMessage)], "")
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO live_restreams (live_stream_id, number, target, phase, message, lost, changed_at)
			SELECT id, CAST($2 AS INTEGER), $3, $4, $5, CAST($6 AS BIGINT), CAST($7 AS BIGINT) FROM live_streams WHERE id = $1
			ON CONFLICT (live_stream_id, number) DO UPDATE SET target = excluded.target, phase = excluded.phase,
			message = excluded.message, lost = excluded.lost, changed_at = excluded.changed_at`,
			liveStream, number, target.ServerURL, string(now.Phase), message, now.Lost, db.Micros(time.Now()))
		return err
	})
	if err != nil {
		log.Warn("the state of a restream is not stored", "error", fmt.Errorf("note %s: %w", now.Phase, err))
	}
}

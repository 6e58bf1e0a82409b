package analytics

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"stoa/internal/db"
)

const playbackColumns = `id, project, media, live, audience, session, viewer, first_at, last_at,
	impression_at, play_at, end_at, anchor_at, waited_ms, watched_ms, state`

// maxRead is how many playbacks one question reads.
const maxRead = 64

// readPlaybacks reads the playbacks of a group and keeps others from changing them.
func readPlaybacks(ctx context.Context, d *db.DB, tx *db.Tx, group []*entry) (map[playbackID]*playback, error) {
	ids := make([]playbackID, len(group))
	for i, e := range group {
		ids[i] = e.id
	}
	slices.SortFunc(ids, comparePlaybacks)
	ids = slices.Compact(ids)
	args := make([]any, len(ids))
	for i := range ids {
		args[i] = ids[i][:]
	}
	found := map[playbackID]*playback{}
	for chunk := range chunks(args, 1, maxRead) {
		if err := readSome(ctx, d, tx, chunk, found); err != nil {
			return nil, fmt.Errorf("read playbacks: %w", err)
		}
	}
	return found, nil
}

func readSome(ctx context.Context, d *db.DB, tx *db.Tx, ids []any, found map[playbackID]*playback) error {
	rows, err := tx.Query(ctx, `SELECT `+playbackColumns+` FROM analytics_playbacks WHERE id IN `+tuples(1, len(ids))+` ORDER BY id`+d.ForUpdate(), ids...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		p := newPlayback(playbackID{})
		var id, state []byte
		var derived int64
		if err := rows.Scan(&id, &p.project, &p.media, &p.live, &p.audience, &p.session, &p.viewer, &p.first, &p.last,
			&p.impression, &p.play, &p.end, &derived, &derived, &derived, &state); err != nil {
			return err
		}
		copy(p.id[:], id)
		if err := p.restore(state); err != nil {
			return err
		}
		found[p.id] = p
	}
	return rows.Err()
}

func (p *page) write(ctx context.Context, d *db.DB, tx *db.Tx) error {
	for _, step := range []func(context.Context, *db.DB, *db.Tx) error{
		p.writeAudiences, p.writePlaybacks, p.writeStretches, p.writeSums, p.writeTotals,
	} {
		if err := step(ctx, d, tx); err != nil {
			return err
		}
	}
	return nil
}

// writePlaybacks fails with db.IsUnique when another process made one of them
// meanwhile.
func (p *page) writePlaybacks(ctx context.Context, d *db.DB, tx *db.Tx) error {
	const insert = `INSERT INTO analytics_playbacks (` + playbackColumns + `)`
	if err := insertRows(ctx, d, tx, insert, 16, "", playbackArgs(p.ordered(true))); err != nil {
		return err
	}
	return insertRows(ctx, d, tx, insert, 16, `ON CONFLICT (id) DO UPDATE SET first_at = excluded.first_at, last_at = excluded.last_at,
		impression_at = excluded.impression_at, play_at = excluded.play_at, end_at = excluded.end_at, anchor_at = excluded.anchor_at,
		waited_ms = excluded.waited_ms, watched_ms = excluded.watched_ms, state = excluded.state`, playbackArgs(p.ordered(false)))
}

func playbackArgs(all []*playback) []any {
	args := make([]any, 0, 16*len(all))
	for _, p := range all {
		far := p.progress()
		args = append(args, p.id[:], p.project, p.media, p.live, p.audience, p.session, p.viewer, p.first, p.last,
			p.impression, p.play, p.end, p.anchor(), far.waited, far.watched, p.state())
	}
	return args
}

func (p *page) writeStretches(ctx context.Context, d *db.DB, tx *db.Tx) error {
	keys := slices.SortedFunc(maps.Keys(p.stretches), func(a, b stretchKey) int {
		return cmp.Or(comparePlaybacks(a.playback, b.playback), cmp.Compare(a.began, b.began))
	})
	args := make([]any, 0, 9*len(keys))
	for _, key := range keys {
		s := p.stretches[key]
		args = append(args, s.of.project, s.began, s.of.id[:], s.ended, s.of.media, s.of.live, s.of.audience, s.of.session, s.of.viewer)
	}
	return insertRows(ctx, d, tx, `INSERT INTO analytics_stretches (project, began_at, playback, ended_at, media, live, audience, session, viewer)`, 9,
		`ON CONFLICT (project, began_at, playback) DO UPDATE SET ended_at = excluded.ended_at WHERE analytics_stretches.ended_at < excluded.ended_at`, args)
}

func (p *page) writeSums(ctx context.Context, d *db.DB, tx *db.Tx) error {
	for _, l := range []level{levelDays, levelHours} { // always in this order, for the sake of others who write
		if err := p.writeLevel(ctx, d, tx, l); err != nil {
			return err
		}
	}
	return nil
}

func (p *page) writeLevel(ctx context.Context, d *db.DB, tx *db.Tx, l level) error {
	rows := p.sums.levels[l]
	maps.DeleteFunc(rows, func(_ sumKey, c *counts) bool { return *c == counts{} })
	keys := slices.SortedFunc(maps.Keys(rows), func(a, b sumKey) int {
		return cmp.Or(cmp.Compare(a.project, b.project), cmp.Compare(a.number, b.number), cmp.Compare(a.media, b.media), cmp.Compare(a.audience, b.audience))
	})
	args := make([]any, 0, 15*len(keys))
	for _, key := range keys {
		args = append(args, key.project, key.number, key.media, key.audience, p.sums.live[mediaKey{key.project, key.media}])
		for _, n := range rows[key] {
			args = append(args, n)
		}
	}
	return insertRows(ctx, d, tx, `INSERT INTO `+l.table+` AS s (project, `+l.column+`, media, audience, live,
		impressions, plays, ends, waits, wait_ms, watch_ms, views_3, views_5, views_10, views_30)`, 15,
		`ON CONFLICT (project, `+l.column+`, media, audience) DO UPDATE SET impressions = s.impressions + excluded.impressions,
		plays = s.plays + excluded.plays, ends = s.ends + excluded.ends, waits = s.waits + excluded.waits,
		wait_ms = s.wait_ms + excluded.wait_ms, watch_ms = s.watch_ms + excluded.watch_ms, views_3 = s.views_3 + excluded.views_3,
		views_5 = s.views_5 + excluded.views_5, views_10 = s.views_10 + excluded.views_10, views_30 = s.views_30 + excluded.views_30`, args)
}

func (p *page) writeTotals(ctx context.Context, d *db.DB, tx *db.Tx) error {
	// A media has a row since its first playback: what adds nothing need not be written.
	maps.DeleteFunc(p.sums.totals, func(key mediaKey, n int64) bool { return n == 0 && !p.begun[key] })
	keys := slices.SortedFunc(maps.Keys(p.sums.totals), func(a, b mediaKey) int {
		return cmp.Or(cmp.Compare(a.project, b.project), cmp.Compare(a.media, b.media))
	})
	args := make([]any, 0, 4*len(keys))
	for _, key := range keys {
		args = append(args, key.project, key.media, p.sums.live[key], p.sums.totals[key])
	}
	return insertRows(ctx, d, tx, `INSERT INTO analytics_totals AS t (project, media, live, plays)`, 4,
		`ON CONFLICT (project, media) DO UPDATE SET plays = t.plays + excluded.plays`, args)
}

package video

import (
	"bytes"
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"stoa/internal/db"
	"stoa/video/internal/encode"
)

// putsAtOnce is how many files of a broadcast are stored at a time.
const putsAtOnce = 4

// store stores a batch: its files, and then its rows. It may be called again with the
// same one. It answers errOver if another publisher goes on with the broadcast.
func (k *liveKeeper) store(ctx context.Context, batch []piece) error {
	if err := k.put(ctx, batch); err != nil {
		return err
	}
	err := k.s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, `UPDATE live_broadcasts SET version = version + 1, seen_at = $3 WHERE id = $1 AND run = $2 AND NOT recorded`,
			k.a.b.id, k.a.run, db.Micros(time.Now()))
		if err := changedOne(result, err, errOver); err != nil {
			return err
		}
		if shown(batch) && !k.aired {
			if err := k.s.goOnAir(ctx, tx, k.a.b.id, k.a.run); err != nil {
				return err
			}
		}
		for _, p := range batch {
			if err := k.insert(ctx, tx, p); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	k.aired = k.aired || shown(batch)
	k.s.tellLive(ctx, k.a.b.id)
	k.removeOld(ctx, batch)
	return nil
}

// shown tells whether a batch has something that can be watched.
func shown(batch []piece) bool {
	return slices.ContainsFunc(batch, func(p piece) bool { return p.head == nil })
}

// put stores the files of a batch.
func (k *liveKeeper) put(ctx context.Context, batch []piece) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(putsAtOnce)
	id := k.a.b.videoID
	for _, p := range batch {
		var key string
		var content []byte
		switch {
		case p.head != nil:
			key, content = headKey(id, p.track, p.head.Number), p.head.Bytes
		case p.segment != nil:
			key, content = segmentKey(id, p.track, p.segment.Number), p.segment.Bytes
		case k.parts:
			key, content = livePartKey(id, p.track, p.part.Segment, p.part.Number), p.part.Bytes
		default:
			continue
		}
		group.Go(func() error {
			_, err := k.s.Blobs.Put(ctx, key, bytes.NewReader(content), mediaType(p.track))
			return err
		})
	}
	return group.Wait()
}

// insert writes the row of a piece, unless it is there.
func (k *liveKeeper) insert(ctx context.Context, tx *db.Tx, p piece) (err error) {
	id := k.a.b.id
	switch {
	case p.head != nil:
		h := p.head
		_, err = tx.Exec(ctx, `INSERT INTO live_heads (broadcast_id, track, number, codec, clock, width, height) VALUES (`+placeholders(7)+`)
			ON CONFLICT (broadcast_id, track, number) DO NOTHING`, id, p.track, h.Number, h.Codec, h.Clock, h.Width, h.Height)
	case p.segment != nil:
		s := p.segment
		_, err = tx.Exec(ctx, `INSERT INTO live_segments (broadcast_id, track, number, head, broken, start, duration, at, parts, frames, size, first_frame)
			VALUES (`+placeholders(12)+`) ON CONFLICT (broadcast_id, track, number) DO NOTHING`,
			id, p.track, s.Number, s.Head, s.Break, s.Start, s.Duration, db.Micros(s.At), s.Parts, encode.Samples(s.Bytes), len(s.Bytes), s.FirstFrame)
		if err == nil && k.parts {
			_, err = tx.Exec(ctx, `DELETE FROM live_parts WHERE broadcast_id = $1 AND track = $2 AND segment <= $3`, id, p.track, s.Number-liveParts)
		}
	case k.parts:
		_, err = tx.Exec(ctx, `INSERT INTO live_parts (broadcast_id, track, segment, number, duration, independent) VALUES (`+placeholders(6)+`)
			ON CONFLICT (broadcast_id, track, segment, number) DO NOTHING`,
			id, p.track, p.part.Segment, p.part.Number, p.part.Duration, p.part.Independent)
	}
	return err
}

// liveParts is of how many segments parts are kept, beside the open one.
const liveParts = 3

// removeOld removes the files of parts whose rows have gone with the batch. What stays
// behind goes when the broadcast is forgotten.
func (k *liveKeeper) removeOld(ctx context.Context, batch []piece) {
	var group errgroup.Group
	group.SetLimit(putsAtOnce)
	for _, p := range batch {
		switch {
		case p.part != nil && k.parts:
			k.kept[p.track] = append(k.kept[p.track], partName{p.part.Segment, p.part.Number})
		case p.segment != nil:
			k.kept[p.track] = slices.DeleteFunc(k.kept[p.track], func(name partName) bool {
				if name.segment > p.segment.Number-liveParts {
					return false
				}
				group.Go(func() error {
					return k.s.Blobs.Delete(ctx, livePartKey(k.a.b.videoID, p.track, name.segment, name.number))
				})
				return true
			})
		}
	}
	if err := group.Wait(); err != nil {
		k.a.log.Warn("a part of a broadcast stays for now", "error", err)
	}
}

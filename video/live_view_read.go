package video

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"stoa/internal/blob"
	"stoa/video/internal/live"
)

// follower is a broadcast whose windows are made of what is stored.
type follower struct {
	*broadcast
	s     *Service
	asked atomic.Int64 // when somebody last did, nanoseconds since 1970
	known atomic.Bool  // it was read
	woken atomic.Bool  // it is about to be read again

	reading  sync.Mutex // one at a time
	version  int64      // of the broadcast, as it was read
	progress map[string]*followedTrack
}

func newFollower(s *Service, b *broadcast) *follower {
	return &follower{broadcast: b, s: s, progress: map[string]*followedTrack{}}
}

// followedTrack is how far a track was read.
type followedTrack struct {
	heads    int // how many
	segments int // number of the first that is missing
	parts    int // how many of that one
}

// update reads what is new.
func (f *follower) update(ctx context.Context) error {
	f.reading.Lock()
	defer f.reading.Unlock()
	var version int64
	var recorded bool
	err := f.s.db.QueryRow(ctx, `SELECT version, recorded FROM live_broadcasts WHERE id = $1`, f.id).Scan(&version, &recorded)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		f.end()
		return nil
	case err != nil:
		return err
	case f.known.Load() && version == f.version:
		return nil
	}
	if err := f.read(ctx); err != nil {
		return err
	}
	if recorded { // until then its last segments may be on their way
		f.end()
	}
	f.version = version // or a later one, which is then read again
	f.known.Store(true)
	return nil
}

// read adds what is not there yet, in the order in which it was cut.
func (f *follower) read(ctx context.Context) error {
	if err := f.readHeads(ctx); err != nil {
		return err
	}
	parts, err := f.readParts(ctx)
	if err != nil {
		return err
	}
	return f.readSegments(ctx, parts)
}

// readSegments adds segments, each after its parts, and then the other parts.
func (f *follower) readSegments(ctx context.Context, parts []storedPart) error {
	segments, err := readLiveSegments(ctx, f.s.db, f.id, f.first())
	if err != nil {
		return err
	}
	for _, g := range segments {
		t := f.track(g.track)
		if g.Number < t.segments {
			continue
		}
		parts = f.addParts(parts, g.track, g.Number)
		f.openWindow(g.track).AddSegment(g.Segment)
		t.segments, t.parts = g.Number+1, 0
	}
	for len(parts) > 0 {
		parts = f.addParts(parts, parts[0].track, parts[0].Segment)
	}
	return nil
}

func (f *follower) track(name string) *followedTrack {
	t, known := f.progress[name]
	if !known {
		t = new(followedTrack)
		f.progress[name] = t
	}
	return t
}

// first is the number of the first segment that some track lacks.
func (f *follower) first() int {
	first := -1
	for _, t := range f.progress {
		if first < 0 || t.segments < first {
			first = t.segments
		}
	}
	return max(0, first)
}

func (f *follower) readHeads(ctx context.Context) error {
	heads, err := readHeads(ctx, f.s.db, f.id)
	if err != nil {
		return err
	}
	for _, h := range heads {
		t := f.track(h.track)
		if h.Number < t.heads {
			continue
		}
		if h.Bytes, err = f.s.readBlob(ctx, headKey(f.videoID, h.track, h.Number)); err != nil {
			return err
		}
		f.openWindow(h.track).AddHead(h.Head)
		t.heads, t.parts = h.Number+1, 0 // the parts of a segment that was not finished are gone
	}
	return nil
}

// storedPart is a row of live_parts, and its bytes.
type storedPart struct {
	track string
	live.Part
}

// readParts are those of segments that were not there yet. They go with their segment
// when one of them is gone, as it has become old.
func (f *follower) readParts(ctx context.Context) (parts []storedPart, err error) {
	err = eachRow(ctx, f.s.db, func(rows *sql.Rows) error {
		var p storedPart
		err := rows.Scan(&p.track, &p.Segment, &p.Number, &p.Duration, &p.Independent)
		if t := f.track(p.track); err == nil && (p.Segment > t.segments || p.Segment == t.segments && p.Number >= t.parts) {
			parts = append(parts, p)
		}
		return err
	}, `SELECT track, segment, number, duration, independent FROM live_parts WHERE broadcast_id = $1 AND segment >= $2
		ORDER BY track, segment, number`, f.id, f.first())
	if err != nil {
		return nil, err
	}
	var group errgroup.Group
	group.SetLimit(putsAtOnce)
	for i := range parts {
		group.Go(func() (err error) {
			p := &parts[i]
			p.Bytes, err = f.s.readBlob(ctx, livePartKey(f.videoID, p.track, p.Segment, p.Number))
			if errors.Is(err, blob.ErrNotFound) {
				err = nil
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	gone := func(p storedPart) bool { return p.Bytes == nil }
	for i := slices.IndexFunc(parts, gone); i >= 0; i = slices.IndexFunc(parts, gone) {
		track, segment := parts[i].track, parts[i].Segment
		parts = slices.DeleteFunc(parts, func(p storedPart) bool { return p.track == track && p.Segment == segment })
	}
	return parts, nil
}

// addParts adds the parts of a segment, and returns those of others.
func (f *follower) addParts(parts []storedPart, track string, segment int) []storedPart {
	return slices.DeleteFunc(parts, func(p storedPart) bool {
		if p.track != track || p.Segment != segment {
			return false
		}
		f.openWindow(track).AddPart(p.Part)
		if t := f.track(track); segment == t.segments {
			t.parts = p.Number + 1
		}
		return true
	})
}

package video

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"
)

const (
	// playbackMemory is how many segments are known at a time. With its line in a
	// playlist one takes some 80 bytes.
	playbackMemory = 2 << 20

	// latelyTime is for how long files are served without asking whether they still
	// may be.
	latelyTime = 700 * time.Millisecond

	// playbackTimeout bounds a reading, which goes on for the others who wait when the
	// one who asked first has left.
	playbackTimeout = 30 * time.Second
)

// playbacks remembers what viewers are shown, so that a segment costs no query.
type playbacks struct {
	service *Service
	kept    *otter.Cache[string, *playback]
	flights singleflight.Group
}

func newPlaybacks(s *Service) *playbacks {
	return &playbacks{service: s, kept: otter.Must(&otter.Options[string, *playback]{
		MaximumWeight: playbackMemory,
		Weigher:       func(_ string, p *playback) uint32 { return p.weight() },
	})}
}

// lately is a video as it was less than a second ago, or errNoVideo.
func (m *playbacks) lately(ctx context.Context, id string) (*playback, error) {
	if p, known := m.kept.GetIfPresent(id); known && time.Since(time.Unix(0, p.checked.Load())) < latelyTime {
		return p, nil
	}
	return m.now(ctx, id)
}

// now is a video as it is, or errNoVideo. One query tells whether it is still the one
// that is remembered.
func (m *playbacks) now(ctx context.Context, id string) (*playback, error) {
	if !isID(videoPrefix, id) {
		return nil, errNoVideo
	}
	asked := time.Now()
	var version int64
	err := m.service.db.QueryRow(ctx, `SELECT version FROM videos WHERE id = $1 AND state = $2`, id, videoThere).Scan(&version)
	if errors.Is(err, sql.ErrNoRows) {
		m.kept.Invalidate(id)
		return nil, errNoVideo
	}
	if err != nil {
		return nil, err
	}
	if p, known := m.kept.GetIfPresent(id); known && p.version >= version {
		p.seen(asked)
		return p, nil
	}
	return m.read(ctx, id, version)
}

// read reads a version of a video or a later one, once for all who want it.
func (m *playbacks) read(ctx context.Context, id string, version int64) (*playback, error) {
	flight := m.flights.DoChan(id+" "+strconv.FormatInt(version, 10), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), playbackTimeout)
		defer cancel()
		before, _ := m.kept.GetIfPresent(id)
		p, err := m.service.readPlayback(ctx, id, before)
		if err != nil {
			return nil, err
		}
		m.keep(p)
		return p, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-flight:
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.(*playback), nil
	}
}

// keep remembers a playback, unless a later one is.
func (m *playbacks) keep(p *playback) {
	m.kept.Compute(p.id, func(old *playback, found bool) (*playback, otter.ComputeOp) {
		if found && old.version > p.version {
			return old, otter.CancelOp
		}
		return p, otter.WriteOp
	})
}

// seen notes that the playback was right at a moment.
func (p *playback) seen(at time.Time) {
	for {
		checked := p.checked.Load()
		if checked >= at.UnixNano() || p.checked.CompareAndSwap(checked, at.UnixNano()) {
			return
		}
	}
}

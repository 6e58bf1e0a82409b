package video

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"stoa/internal/db"
)

// channel is all that viewers are shown of a live stream, as it was at one moment. It is
// shared by them and never changed.
type channel struct {
	*liveStream
	theme   *theme         // nil: the usual look
	shows   []broadcastRow // that can be watched, the newest first
	checked time.Time      // when this was known to be so
}

// show is a broadcast of the channel that can be watched.
func (c *channel) show(id string) (broadcastRow, bool) {
	for _, b := range c.shows {
		if b.id == id {
			return b, true
		}
	}
	return broadcastRow{}, false
}

// watchable tells whether a broadcast can be watched: while it goes on, and then for as
// long as it has lasted.
func (b broadcastRow) watchable(now time.Time) bool {
	return b.started > 0 && (!b.ended || now.Before(b.watchedUntil()))
}

// channels remembers what viewers are shown of live streams, so that a part costs no
// query.
type channels struct {
	service *Service
	kept    *otter.Cache[string, *channel]
	flights singleflight.Group
}

// channelMemory is how many are known at a time.
const channelMemory = 10_000

func newChannels(s *Service) *channels {
	return &channels{service: s, kept: otter.Must(&otter.Options[string, *channel]{MaximumSize: channelMemory})}
}

// channelFinder is channels.now or channels.lately.
type channelFinder func(ctx context.Context, id string) (*channel, error)

// lately is a live stream as it was less than a second ago, or errNoLiveStream.
func (m *channels) lately(ctx context.Context, id string) (*channel, error) {
	if c, known := m.kept.GetIfPresent(id); known && time.Since(c.checked) < latelyTime {
		return c, nil
	}
	flight := m.flights.DoChan(id, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), playbackTimeout)
		defer cancel()
		return m.now(ctx, id)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case result := <-flight:
		if result.Err != nil {
			return nil, result.Err
		}
		return result.Val.(*channel), nil
	}
}

// now is a live stream as it is, or errNoLiveStream.
func (m *channels) now(ctx context.Context, id string) (*channel, error) {
	c := &channel{checked: time.Now()}
	err := m.service.db.InSnapshot(ctx, func(tx *db.Tx) (err error) {
		if c.liveStream, err = oneLiveStream(ctx, tx, id, ""); err != nil {
			return err
		}
		if err := c.readShows(ctx, tx); err != nil {
			return err
		}
		return c.readTheme(ctx, tx)
	})
	if err != nil {
		m.kept.Invalidate(id)
		return nil, err
	}
	m.kept.Set(id, c)
	return c, nil
}

func (c *channel) readShows(ctx context.Context, tx *db.Tx) error {
	return eachRow(ctx, tx, func(rows *sql.Rows) error {
		b, err := scanBroadcast(rows)
		if err == nil && b.watchable(c.checked) {
			c.shows = append(c.shows, b)
		}
		return err
	}, `SELECT `+broadcastColumns+` FROM live_broadcasts WHERE live_stream_id = $1 AND (NOT ended OR ended_at > $2)
		ORDER BY ended, started_at DESC, id`, c.id, db.Micros(c.checked.Add(-dvrTime)))
}

func (c *channel) readTheme(ctx context.Context, tx *db.Tx) error {
	if c.playerID == "" {
		return nil
	}
	t, err := oneTheme(ctx, tx, c.project, c.playerID, "")
	if errors.Is(err, errNoTheme) {
		return nil
	}
	c.theme = &t
	return err
}

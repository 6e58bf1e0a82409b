package video

import (
	"context"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/singleflight"

	"stoa/video/internal/live"
)

// getLivePoster serves the picture of a live stream: the one that was sent, or else one
// of what is on air.
func (s *Service) getLivePoster(v *watching) error {
	if v.thumbnail != "" {
		object, err := s.openFile(v.r.Context(), liveThumbnailKey(v.id, v.thumbnail))
		if err != nil {
			return err
		}
		return v.serve(keepBriefly, "image/jpeg", object)
	}
	row, b, err := v.onNow()
	if err != nil {
		return err
	}
	picture, err := s.glimpses.of(v.r.Context(), row, b)
	if err != nil {
		return err
	}
	return v.serveBytes(keepBriefly, "image/jpeg", picture)
}

// glimpses are pictures of what is on air, each good for some time.
type glimpses struct {
	s       *Service
	kept    *otter.Cache[string, glimpse]
	flights singleflight.Group
}

type glimpse struct {
	made    time.Time
	picture []byte // nil: none could be made
}

const (
	glimpseLife   = 10 * time.Second
	glimpseTime   = 30 * time.Second // for making one
	glimpseMemory = 32 << 20         // bytes
)

func newGlimpses(s *Service) *glimpses {
	return &glimpses{s: s, kept: otter.Must(&otter.Options[string, glimpse]{
		MaximumWeight: glimpseMemory,
		Weigher:       func(_ string, p glimpse) uint32 { return uint32(len(p.picture) + 200) },
	})}
}

// of is the picture of a broadcast, made once for all who ask, or errNoFile.
func (m *glimpses) of(ctx context.Context, row broadcastRow, b *broadcast) ([]byte, error) {
	kept, found := m.kept.GetIfPresent(row.id)
	if !found || time.Since(kept.made) > glimpseLife {
		flight := m.flights.DoChan(row.id, func() (any, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), glimpseTime)
			defer cancel()
			made := glimpse{time.Now(), m.s.makeStill(ctx, b)}
			m.kept.Set(row.id, made)
			return made, nil
		})
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case result := <-flight:
			kept = result.Val.(glimpse)
		}
	}
	if kept.picture == nil {
		return nil, errNoFile
	}
	return kept.picture, nil
}

// bestPicture is the track with the largest picture of a broadcast, nil if there is none.
func (b *broadcast) bestPicture() (best *live.Window, track string) {
	height := 0
	for _, name := range b.tracks() {
		w, _ := b.window(name)
		for _, h := range w.Heads() {
			if h.Height > height {
				best, track, height = w, name, h.Height
			}
		}
	}
	return best, track
}

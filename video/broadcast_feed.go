package video

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"stoa/internal/fault"
	"stoa/video/internal/live"
)

// publisher is the live.Feed of one who sends.
type publisher struct {
	s       *Service
	stream  *liveStream
	log     *slog.Logger
	formats []live.Format
	airing  *airing
	others  *restreams
	gone    chan struct{}
	goAway  func()
}

// errStorage says that what was sent could not be kept, and so nothing more is taken.
var errStorage = fault.New(fault.Unavailable, "the broadcast cannot be stored: look at the log, and start again")

func (s *Service) newPublisher(ctx context.Context, stream *liveStream, row broadcastRow, from live.Publisher) (*publisher, error) {
	p := &publisher{s: s, stream: stream, gone: make(chan struct{})}
	p.goAway = sync.OnceFunc(func() { close(p.gone) })
	p.log = s.log.With("live_stream_id", stream.id, "address", from.Address)
	if err := p.air(ctx, row); err != nil {
		return nil, err
	}
	p.others = s.newRestreams(stream, p.log)
	return p, nil
}

// air begins to send to a broadcast.
func (p *publisher) air(ctx context.Context, row broadcastRow) (err error) {
	p.airing, err = p.s.newAiring(ctx, row, p.log.With("broadcast_id", row.id), p.goAway)
	return err
}

// Start names the formats.
func (p *publisher) Start(formats []live.Format) error {
	p.formats = formats
	if err := p.airing.start(formats); err != nil {
		return err
	}
	p.others.start(formats)
	return nil
}

// Write takes a frame.
func (p *publisher) Write(f live.Frame) error {
	if f.Key && p.airing.keeper.length() >= p.s.longestBroadcast && p.leads(f.Track) {
		if err := p.split(); err != nil {
			return err
		}
	}
	if err := p.airing.write(f); err != nil {
		return err
	}
	p.others.write(f)
	return nil
}

// leads tells whether a broadcast can begin with a key frame of this track: of the
// pictures, if there are any.
func (p *publisher) leads(track int) bool {
	if track >= len(p.formats) {
		return false
	}
	for _, f := range p.formats {
		if f.IsVideo() {
			return p.formats[track].IsVideo()
		}
	}
	return true
}

// split ends a broadcast that has become long, and begins the next one.
func (p *publisher) split() error {
	ctx, cancel := context.WithTimeout(context.Background(), bookTime)
	defer cancel()
	p.log.Info("a broadcast has its full length, the next one begins")
	if err := p.airing.endSplit(ctx); err != nil {
		return err
	}
	row, err := p.s.openBroadcast(ctx, p.stream)
	if err != nil {
		return err
	}
	if err := p.air(ctx, row); err != nil {
		return err
	}
	return p.airing.start(p.formats)
}

// Done is closed when the publisher has to go.
func (p *publisher) Done() <-chan struct{} { return p.gone }

// Close says that the publisher has gone.
func (p *publisher) Close() {
	p.others.close()
	p.airing.leave()
	p.goAway()
	p.log.Info("publisher left")
}

// silentTime is how long no frame may come for a publisher to count as there.
const silentTime = 3 * time.Second

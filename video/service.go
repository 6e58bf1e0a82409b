package video

import (
	"cmp"
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/sync/errgroup"

	"stoa/internal/blob"
	"stoa/internal/db"
	"stoa/internal/egress"
	"stoa/internal/health"
	"stoa/internal/jobs"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/ratelimit"
	"stoa/video/analytics"
	"stoa/video/internal/ffmpeg"
	"stoa/video/internal/picture"
)

//go:embed migrations
var migrations embed.FS

// Room is the name under which the database keeps the version of the schema.
const Room = "video"

// Migrations is the schema.
func Migrations() fs.FS {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return files
}

// Options is what a Service is made of.
type Options struct {
	Config
	Environment string // "production", or the name of a second one, which is a sandbox
	Origin      string // the address that people see, without a slash at the end
	DB          *db.DB // with the schema of Migrations
	Blobs       blob.Store
	Box         *secret.Box
	Queue       *jobs.Queue
	Decider     ratelimit.Decider // nil: nothing is limited
	Proxies     []netip.Prefix    // whose X-Forwarded-For counts
	Egress      *egress.Dialer    // to addresses that users give; nil: public ones only
	Whip        Whip              // nil: browsers do not publish
	Log         *slog.Logger
	Stats       *stats.Registry
}

// EncodeLane is where the jobs are that need much of the machine.
const EncodeLane = "encode"

// Production is the environment without the rules of the sandbox.
const Production = "production"

// LimitDomain is the domain of an environment's rate limits. Each has its own, so
// that they share no count.
func LimitDomain(environment string) string {
	if environment == Production {
		return "video"
	}
	return "video_" + environment
}

// Service is the videos of one environment.
type Service struct {
	Options
	db         *db.DB
	log        *slog.Logger
	secrets    secrets
	ffmpeg     *ffmpeg.Runner // nil: it is not on this machine
	scratch    *scratch
	copies     *localCopies
	pictures   *picture.Maker
	hooks      *http.Client  // calls webhooks
	shares     *hookShares   // of those calls
	silence    time.Duration // that a large request may have
	importPart int64         // bytes of the files that a fetched source is kept in

	parts     *health.Room
	metrics   metrics
	analytics *analytics.Service
	gate      *gate
	channels  *channels
	followers *followers
	glimpses  *glimpses
	waits     *waits
	playbacks *playbacks
	hot       *hotFiles

	broadcasts       *broadcasts
	longestBroadcast time.Duration
	storeTries       int // of a broadcast before its storage is given up
}

// New opens the videos. It makes the secrets of the environment when they are not
// there yet, and tells the queue what jobs there are.
func New(ctx context.Context, o Options) (*Service, error) {
	o.Egress = cmp.Or(o.Egress, egress.New(nil))
	s := &Service{Options: o, db: o.DB, log: o.Log, pictures: picture.New(), hooks: newHookClient(o.Egress), shares: newHookShares(), silence: silence, importPart: importPart}
	s.scratch = &scratch{parent: o.Scratch}
	s.copies = newLocalCopies(o.Blobs, s.scratch)
	s.channels, s.followers, s.glimpses, s.waits = newChannels(s), newFollowers(s), newGlimpses(s), newWaits()
	s.playbacks, s.hot = newPlaybacks(s), newHotFiles()
	s.broadcasts, s.longestBroadcast, s.storeTries = newBroadcasts(), longestBroadcast, storeTries
	var err error
	if s.gate, err = openGate(o); err != nil {
		return nil, err
	}
	if s.secrets, err = openSecrets(ctx, o.DB, o.Box); err != nil {
		return nil, err
	}
	if s.ffmpeg, err = ffmpeg.FindRunner(o.Log); err != nil {
		o.Log.Warn("nothing can be encoded", "error", err)
	}
	if err := s.openAnalytics(); err != nil {
		return nil, err
	}
	s.parts, s.metrics = s.newHealth(), s.newMetrics()
	s.handleJobs()
	return s, nil
}

// sandbox tells whether videos are short, marked and soon gone.
func (s *Service) sandbox() bool { return s.Environment != Production }

// Run does what goes on beside requests and jobs, until the context ends.
func (s *Service) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.followers.run(ctx) })
	g.Go(func() error { return s.analytics.Run(ctx) })
	g.Go(func() error { return s.runBroadcasts(ctx) })
	g.Go(func() error { return s.houseBroadcasts(ctx) })
	g.Go(func() error {
		<-ctx.Done()
		s.copies.dropIdle()
		return nil
	})
	return g.Wait()
}

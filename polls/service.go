package polls

import (
	"cmp"
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"stoa/internal/blob"
	"stoa/internal/db"
	"stoa/internal/health"
	"stoa/internal/reference"
	"stoa/internal/secret"
	"stoa/internal/stats"
	"stoa/polls/internal/credential"
	"stoa/polls/internal/picture"
	"stoa/polls/internal/postform"
	"stoa/polls/limits"
	"stoa/polls/pages"
	"stoa/ratelimit"
)

//go:embed migrations
var migrations embed.FS

// Room is the name under which the database keeps the version of the schema.
const Room = "polls"

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
	Environment string // "production", or the name of a second one
	Origin      string // the address that people see, without a slash at the end
	DB          *db.DB // with the schema of Migrations
	Blobs       blob.Store
	Box         *secret.Box
	Decider     ratelimit.Decider // nil: nothing is limited
	Proxies     []netip.Prefix    // whose X-Forwarded-For counts
	Log         *slog.Logger
	Stats       *stats.Registry
	Passwords   *Passwords // of the process; nil: its own

	// Mail sends a plain text. nil: there is no mail, and new accounts are confirmed
	// at once.
	Mail func(ctx context.Context, to, subject, text string) error

	// Neighbours tells what the start page shows beside the polls. nil: nothing.
	Neighbours func(ctx context.Context) (Neighbours, error)

	Console string // where operators are led to; "": there is none
}

// Passwords checks the passwords of all environments of a process: together they
// must not take too much memory.
type Passwords = credential.Passwords

// NewPasswords makes the one of a process.
func NewPasswords() *Passwords { return credential.NewPasswords() }

// Production is the environment that shows no banner.
const Production = "production"

// LimitDomain is the domain of an environment's rate limits. Each has its own, so
// that they share no count.
func LimitDomain(environment string) string {
	if environment == Production {
		return "polls"
	}
	return "polls_" + environment
}

// Service is the polls of one environment.
type Service struct {
	Options
	db       *db.DB
	log      *slog.Logger
	keys     *credential.Keyring
	encoder  encoder
	copies   *copies
	box      *ballotBox
	watchers *watchers
	views    viewBook
	pictures *picture.Maker
	uploads  *postform.Bucket
	front    atomic.Pointer[feedPage] // the first page of the recent list
	house    house
	limits   *limits.Limits
	postbox  *postbox
	site     *pages.Site
	ownForms *http.CrossOriginProtection // of our pages
	docs     func() (*reference.Document, error)
	parts    *health.Room

	statistics singleflight.Group // by publisher
	days       singleflight.Group // by their number and publisher
}

// New opens the polls. It makes the keys of the environment when they are not
// there yet.
func New(ctx context.Context, o Options) (*Service, error) {
	s := &Service{Options: o, db: o.DB, log: o.Log, pictures: picture.New(maxDecodes), house: newHouse()}
	if s.Passwords == nil {
		s.Passwords = NewPasswords()
	}
	var err error
	if s.keys, err = openKeys(ctx, o.DB, o.Box, o.Environment); err != nil {
		return nil, err
	}
	id, secret := s.keys.UploadKey()
	s.uploads = &postform.Bucket{Name: uploadBucket, AccessKeyID: id, Secret: []byte(secret)}
	s.front.Store(&feedPage{feed: -1}) // as no mark is: it is read with the first request
	s.limits = limits.New(limits.Options{Decider: o.Decider, Domain: LimitDomain(o.Environment), Key: s.keys.LimitSecret()})
	s.encoder = encoder{origin: o.Origin, pseudonym: s.keys.Pseudonym, pollKey: s.keys.PollKey}
	s.copies = newCopies(o.DB, s.encoder)
	s.views.db = o.DB
	s.watchers = newWatchers(o.Streams, cmp.Or(o.StreamsPerAddress, limits.Streams(o.Rules)), o.DB.Postgres(), o.Stats, o.Environment)
	s.postbox = newPostbox(o.Mail, o.Log)
	s.parts = s.newHealth()
	s.site = pages.New(pages.Options{Origin: o.Origin, Environment: s.banner()})
	if s.ownForms, err = guardForms(o.Origin); err != nil {
		return nil, err
	}
	s.docs = sync.OnceValues(func() (*reference.Document, error) {
		return reference.New(reference.Service{Origin: o.Origin, Example: "https://polls.example", Files: "/openapi/polls"}, openAPI)
	})
	s.box = newBallotBox(boxOptions{db: o.DB, popularMinVotes: o.PopularMinVotes, counted: s.counted, failed: s.unsure, stats: o.Stats})
	return s, nil
}

// guardForms refuses forms that come from pages of others. A proxy may change the
// Host that the standard library compares with, so our own origin is told; operator
// commands have none, and meet nobody.
func guardForms(origin string) (*http.CrossOriginProtection, error) {
	guard := http.NewCrossOriginProtection()
	if origin == "" {
		return guard, nil
	}
	return guard, guard.AddTrustedOrigin(origin)
}

// counted is told by the ballot box of every commit.
func (s *Service) counted(polls []raised, feed bool) {
	if feed {
		s.copies.raiseMark(markFeed)
	}
	s.raised(polls)
}

// Run does what goes on beside the requests, until the context ends: it counts
// votes, tells watchers, cleans up. It must run for the Service to work.
func (s *Service) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.box.Run(ctx) })
	if s.copies.asker != nil {
		g.Go(func() error { return s.copies.asker.Run(ctx) })
	}
	g.Go(func() error { return s.watch(ctx) })
	g.Go(func() error { return s.watchOthers(ctx) })
	g.Go(func() error { return s.watchKeys(ctx) })
	g.Go(func() error { return s.postbox.Run(ctx) })
	g.Go(func() error { return s.keepHouse(ctx) })
	g.Go(func() error { return s.checkCounts(ctx) })
	return g.Wait()
}

// EndStreams ends all event streams, and lets no new one begin: a server that waits
// for its requests to end would wait for ever.
func (s *Service) EndStreams() { s.watchers.end() }

// maxDecodes is how many pictures are opened at a time.
const maxDecodes = 2

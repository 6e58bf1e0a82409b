// Package analytics counts who watched what.
//
// Players send their events to the collector ([Service.CollectorRoutes]), in
// either of two versions. What they say is folded into one row per playback, the
// loading of a media in a page; events that come twice, late or in another order
// leave the same row. With every change of a row, and in the same transaction,
// its part in the sums of hours and days changes too, so the sums are exact at any
// moment: whole hours and days are answered from them, the rest of a timeframe and
// whatever wants distinct viewers from the rows.
//
// Addresses and user agents are not kept: a viewer is a hash with a key that is
// thrown away with its day. Rows and sums go after Options.Retention; only the
// total of plays stays.
//
// The package does not know what a media is. It asks Options.Media.
package analytics

import (
	"context"
	"embed"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/sync/errgroup"

	"stoa/internal/db"
	"stoa/internal/web"
)

//go:embed migrations
var files embed.FS

// Room is the name under which the database keeps the version of the schema.
const Room = "analytics"

// Migrations is the schema.
func Migrations() fs.FS { return files }

// Options is what a Service is made of.
type Options struct {
	DB  *db.DB // with the schema of Migrations
	Log *slog.Logger

	// Countries is the path of a MaxMind database of countries or cities. Empty:
	// every country is unknown.
	Countries string

	// Retention is how long playbacks are kept. 0: the 30 days that can be asked for.
	Retention time.Duration

	// ClientAddress tells where a request comes from.
	ClientAddress func(*http.Request) netip.Addr

	// Media finds medias by their ids. Events of one that is not in the answer are
	// dropped.
	Media func(ctx context.Context, ids []string) (map[string]Media, error)
}

// Media is what the package knows of a video or a live stream.
type Media struct {
	Project string
	Live    bool // a live stream
	Tags    []string
}

// Service is the analytics of one environment.
type Service struct {
	Options
	db       *db.DB
	days     *dayKeys
	atlas    *atlas
	recorder *recorder
	now      func() time.Time
}

// New opens the analytics.
func New(o Options) (*Service, error) {
	if o.Retention <= 0 || o.Retention > maxBack {
		o.Retention = maxBack
	}
	places, err := openAtlas(o.Countries)
	if err != nil {
		return nil, err
	}
	return &Service{
		Options: o, db: o.DB, days: &dayKeys{db: o.DB}, atlas: places,
		recorder: newRecorder(o.DB, o.Media), now: time.Now,
	}, nil
}

// Run writes what the collector takes and removes what is too old, until the
// context ends. It must run for the collector to answer.
func (s *Service) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.recorder.Run(ctx) })
	g.Go(func() error { return s.keepHouse(ctx) })
	return g.Wait()
}

// CollectorRoutes are what players send their events to, without authentication.
func (s *Service) CollectorRoutes() web.Routes {
	return web.Routes{
		"POST /watch": s.postWatch,
		"POST /vod":   s.postVod,
		"POST /live":  s.postLive,
	}
}

package console

import (
	"context"
	"log/slog"
	"maps"
	"net/http"
	"slices"

	"stoa/internal/blob"
	"stoa/internal/config"
	"stoa/internal/db"
	"stoa/internal/health"
	"stoa/internal/jobs"
	"stoa/internal/stats"
	"stoa/internal/web"
	"stoa/polls"
	"stoa/video"
)

// Options is what a Console shows and steers.
type Options struct {
	Environment string
	Origin      string // of the pages
	Version     string // of the program
	Polls       *polls.Service
	Video       *video.Service // nil: not served by this process
	DB          *db.DB
	Blobs       blob.Store
	Queue       *jobs.Queue
	Limits      []LimitSource
	Folder      string // of the data on this machine
	Health      func(context.Context) []health.Part
	Settings    []config.Setting
	Doors       Doors // where publishers of live streams come in
	Stats       *stats.Registry
	Log         *slog.Logger
}

// Console answers for one environment.
type Console struct {
	Options
	documents chan struct{} // turns of the cluster documents
	encoder   encoder
	files     files
	policy    string // Content-Security-Policy of the page
}

// New makes a Console.
func New(o Options) *Console {
	return &Console{Options: o, policy: pagePolicy(o.videoURL()), documents: make(chan struct{}, clusterTurns)}
}

// videoURL is the origin of the videos, "" where they are not served.
func (o Options) videoURL() string {
	if o.Video == nil {
		return ""
	}
	return o.Video.Origin
}

// Where people find the console, and the description of its API.
const (
	Path     = "/console"
	DocsPath = base + "/docs"
)

// base is where the API lives.
const base = "/api/operator"

// Handler answers below /console and /api/operator.
func (c *Console) Handler() http.Handler {
	routes := c.Routes()
	access := web.NewAccess(web.AccessOptions{Room: "console", Environment: c.Environment, Routes: routes, Stats: c.Stats, Log: c.Log})
	return access.Before(web.NewMux(routes, web.MuxOptions{
		NotFound:         http.HandlerFunc(c.notFound),
		MethodNotAllowed: methodNotAllowed,
		Error:            c.refuse,
		Matched:          access.Matched,
	}))
}

// Patterns is every route, sorted.
func Patterns() []string { return slices.Sorted(maps.Keys(New(Options{}).Routes())) }

// Routes is the whole HTTP surface.
func (c *Console) Routes() web.Routes {
	all := web.Routes{}
	for _, part := range []web.Routes{
		c.pageRoutes(), c.docRoutes(), c.sessionRoutes(), c.pollRoutes(), c.videoRoutes(), c.liveRoutes(), c.limitRoutes(), c.clusterRoutes(), c.systemRoutes(),
	} {
		maps.Copy(all, part)
	}
	return all
}

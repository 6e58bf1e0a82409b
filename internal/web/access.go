package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"stoa/internal/stats"
)

// AccessOptions says whose requests are counted.
type AccessOptions struct {
	Room, Environment string
	Routes            Routes // by whose patterns it counts
	Stats             *stats.Registry
	Log               *slog.Logger
}

// Access stands before the mux of a room. It gives every answer an X-Request-Id, counts
// what comes in by route and what becomes of it, and logs a handler that panics.
type Access struct {
	AccessOptions
	inFlight *stats.Gauge
	routes   map[string]*route
	unknown  *route // no route, or not with this method
}

// NewAccess prepares what is counted.
func NewAccess(o AccessOptions) *Access {
	a := &Access{AccessOptions: o, routes: map[string]*route{}}
	a.inFlight = o.Stats.Gauge("stoa.http.in_flight", a.tags()...)
	a.unknown = &route{pattern: "unknown"}
	for pattern := range o.Routes {
		a.routes[pattern] = &route{pattern: pattern}
	}
	return a
}

func (a *Access) tags(more ...stats.Tag) []stats.Tag {
	return append(more, stats.Tag{Key: "room", Value: a.Room}, stats.Tag{Key: "environment", Value: a.Environment})
}

// Matched is told by the mux which route a request has taken.
func (a *Access) Matched(w http.ResponseWriter, _ *http.Request, pattern string) {
	if x, ok := w.(*exchange); ok {
		if x.route = a.routes[pattern]; x.route == nil {
			x.route = a.unknown
		}
	}
}

// Before is the handler with all that Access does.
func (a *Access) Before(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{ResponseWriter: w, route: a.unknown}
		x.id[0] = requestID(r)
		w.Header()["X-Request-Id"] = x.id[:]
		began := time.Now()
		a.inFlight.Add(1)
		defer a.end(x, r, began)
		next.ServeHTTP(x, r)
	})
}

// end counts an answer. Of a handler that panicked, the server cuts the connection: what
// was sent may be half an answer.
func (a *Access) end(x *exchange, r *http.Request, began time.Time) {
	a.inFlight.Add(-1)
	if cause := recover(); cause != nil {
		if cause != http.ErrAbortHandler {
			a.Log.Error("a handler panicked", "route", x.route.pattern, "method", r.Method, "request_id", x.id[0], "panic", cause, "stack", string(debug.Stack()))
		}
		x.status = http.StatusInternalServerError
		defer panic(http.ErrAbortHandler)
	}
	a.count(x, time.Since(began))
}

func (a *Access) count(x *exchange, took time.Duration) {
	figures := x.route.figures(a)
	figures.time.Observe(took)
	figures.sent.Add(uint64(x.sent))
	figures.answered(a, x.route, x.class()).Add(1)
}

// route is what is counted of a route, from its first request on: most have none, and
// would only make the list of figures long.
type route struct {
	pattern string
	once    sync.Once
	kept    *routeFigures
}

type routeFigures struct {
	time    *stats.Timer
	sent    *stats.Counter
	classes [len(classes)]atomic.Pointer[stats.Counter]
}

func (t *route) figures(a *Access) *routeFigures {
	t.once.Do(func() {
		tags := a.tags(stats.Tag{Key: "route", Value: t.pattern})
		t.kept = &routeFigures{time: a.Stats.Timer("stoa.http.response_time", tags...), sent: a.Stats.Counter("stoa.http.sent_bytes", tags...)}
	})
	return t.kept
}

// classes of statuses, by their first digit.
var classes = [...]string{"other", "1xx", "2xx", "3xx", "4xx", "5xx"}

func (f *routeFigures) answered(a *Access, t *route, class int) *stats.Counter {
	counter := f.classes[class].Load()
	if counter == nil {
		counter = a.Stats.Counter("stoa.http.requests", a.tags(
			stats.Tag{Key: "route", Value: t.pattern}, stats.Tag{Key: "status", Value: classes[class]})...)
		f.classes[class].Store(counter)
	}
	return counter
}

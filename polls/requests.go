package polls

import (
	"net/http"

	"stoa/internal/stats"
	"stoa/internal/web"
)

// requests counts what comes in, by the pattern of its route.
type requests struct {
	byPattern map[string]*stats.Counter
	unknown   *stats.Counter // no route, or not with this method
}

func newRequests(r *stats.Registry, environment string, routes web.Routes) *requests {
	where := stats.Tag{Key: "environment", Value: environment}
	all := &requests{byPattern: map[string]*stats.Counter{}, unknown: r.Counter("stoa.polls.unknown_routes", where)}
	for pattern := range routes {
		all.byPattern[pattern] = r.Counter("stoa.polls.requests", where, stats.Tag{Key: "route", Value: pattern})
	}
	return all
}

// matched is told of every request.
func (r *requests) matched(request *http.Request, pattern string) {
	counter := r.byPattern[pattern]
	if pattern == pollPagePattern {
		if _, ok := pollInPath(request.PathValue("poll")); !ok {
			counter = nil
		}
	}
	if counter != nil {
		counter.Add(1)
		return
	}
	r.unknown.Add(1)
}

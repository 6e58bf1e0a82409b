package video

import (
	"maps"
	"net/http"
	"net/netip"

	"stoa/internal/web"
	"stoa/video/analytics"
)

// analyticsRoutes are the questions about who watched what, and the collector that
// players tell it to, without authentication.
func (s *Service) analyticsRoutes() web.Routes {
	routes := web.Routes{
		"GET /data/metrics/{metric}/{aggregation}": s.ask((*analytics.Service).Metric),
		"GET /data/buckets/{metric}/{breakdown}":   s.ask((*analytics.Service).Buckets),
		"GET /data/timeseries/{metric}":            s.ask((*analytics.Service).Timeseries),
		"GET /analytics/videos/plays":              s.ask((*analytics.Service).VideoPlays),
		"GET /analytics/live-streams/plays":        s.ask((*analytics.Service).LivePlays),
	}
	maps.Copy(routes, s.analytics.CollectorRoutes())
	return routes
}

// ask has a question about the caller's project answered.
func (s *Service) ask(answer func(*analytics.Service, http.ResponseWriter, *http.Request, string) error) web.Handler {
	return s.read(func(c *call) error { return answer(s.analytics, c.w, c.r, c.project) })
}

// clientAddress is where a request comes from.
func (s *Service) clientAddress(r *http.Request) netip.Addr { return web.ClientAddress(r, s.Proxies) }

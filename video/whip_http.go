package video

import (
	"net/http"

	"stoa/internal/web"
	"stoa/video/internal/problem"
)

// Whip takes what browsers publish, by RFC 9725.
type Whip interface {
	Post(w http.ResponseWriter, r *http.Request)
	Patch(w http.ResponseWriter, r *http.Request)
	Delete(w http.ResponseWriter, r *http.Request)
}

// whipRoutes are for browsers that publish to a live stream. Its key is in the address,
// or a bearer token.
func (s *Service) whipRoutes() web.Routes {
	return web.Routes{
		"POST /whip":                      s.whipped(Whip.Post),
		"POST /whip/{streamKey}":          s.whipped(Whip.Post),
		"PATCH /whip/sessions/{session}":  s.whipped(Whip.Patch),
		"DELETE /whip/sessions/{session}": s.whipped(Whip.Delete),
	}
}

func (s *Service) whipped(do func(Whip, http.ResponseWriter, *http.Request)) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if s.Whip == nil {
			return problem.Unrecognized()
		}
		w.Header().Add("Access-Control-Expose-Headers", "Location, ETag, Link")
		do(s.Whip, w, r)
		return nil
	}
}

package polls

import (
	"net/http"

	"stoa/internal/web"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
	"stoa/polls/pages"
)

// pollPagePattern takes every method and every name: whatever is no poll's address
// is answered like any path that is not offered.
const pollPagePattern = "/{poll}"

func (s *Service) pageRoutes() web.Routes {
	const (
		publisher = "/publishers/{publisher_name}"
		set       = publisher + "/poll_sets"
	)
	return web.Routes{
		pages.AssetsPattern:                getAsset,
		"GET /favicon.ico":                 getIcon,
		"GET /{$}":                         s.show(s.getFeedPage),
		pollPagePattern:                    s.servePollPage,
		"GET /users/{username}":            s.show(s.getProfilePage),
		"POST /users/{username}":           s.takeFromAccount(s.postProfilePage),
		"GET /join":                        s.show(s.getJoinPage),
		"POST /join":                       s.take(s.postJoinPage),
		"GET /login":                       s.show(s.getLoginPage),
		"POST /login":                      s.take(s.postLoginPage),
		"GET /logout":                      s.show(s.getLogoutPage),
		"POST /logout":                     s.take(s.postLogout),
		"POST /viewer":                     s.take(s.postViewer),
		"GET /settings":                    s.show(s.getSettingsPage),
		"POST /settings":                   s.takeFromAccount(s.postSettingsPage),
		"GET /new":                         s.showToAccount(s.getNewPollPage),
		"POST /new":                        s.takeFromAccount(s.postNewPollPage),
		"GET /publishers/new":              s.showToAccount(s.getNewPublisherPage),
		"POST /publishers/new":             s.takeFromAccount(s.postNewPublisherPage),
		"GET " + publisher:                 s.showToAccount(s.getPublisherPage),
		"POST " + publisher:                s.takeFromAccount(s.postPublisherPage),
		"GET " + publisher + "/statistics": s.showToAccount(s.getStatisticsPage),
		"GET " + set + "/new":              s.showToAccount(s.getPollSetPage),
		"POST " + set + "/new":             s.takeFromAccount(s.postPollSetPage),
		"GET " + set + "/{set_id}":         s.showToAccount(s.getPollSetPage),
		"POST " + set + "/{set_id}":        s.takeFromAccount(s.postPollSetPage),
	}
}

// getIcon is for browsers that look where icons once were.
func getIcon(w http.ResponseWriter, r *http.Request) error {
	http.Redirect(w, r, pages.AssetPath("mark.svg"), http.StatusFound)
	return nil
}

func getAsset(w http.ResponseWriter, r *http.Request) error {
	pages.Assets().ServeHTTP(w, r)
	return nil
}

// show is a page that is looked at.
func (s *Service) show(serve func(*visit) error) web.Handler {
	return s.page(func(v *visit) error {
		if err := s.within(&v.call, limits.Call{Route: limits.Read}); err != nil {
			return err
		}
		if own := s.otherLoopback(v.r); own != "" {
			http.Redirect(v.w, v.r, own, http.StatusFound)
			return nil
		}
		return serve(v)
	})
}

// take is a page whose form is sent. It asks for its limits itself, since only the
// form tells what it wants.
func (s *Service) take(serve func(*visit) error) web.Handler { return s.page(serve) }

// showToAccount is a page for people who have logged in.
func (s *Service) showToAccount(serve func(*visit) error) web.Handler {
	return s.show(needAccount(serve))
}

func (s *Service) takeFromAccount(serve func(*visit) error) web.Handler {
	return s.take(needAccount(serve))
}

// needAccount sends strangers to log in, and from there back to the page.
func needAccount(serve func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if v.viewer.account == nil {
			return wire.Errorf(wire.AuthenticationRequired, "", "log in first")
		}
		return serve(v)
	}
}

// page answers with a page, whatever happens.
func (s *Service) page(serve func(*visit) error) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v := s.newVisit(w, r)
		err := s.enter(v)
		if err == nil {
			err = serve(v)
		}
		if err == nil {
			return nil
		}
		return s.showProblem(v, err)
	}
}

// getNotFound is the page for an address that has none.
func (s *Service) getNotFound(w http.ResponseWriter, r *http.Request) {
	v := s.newVisit(w, r)
	if s.within(&v.call, limits.Call{Route: limits.Read}) == nil {
		_ = s.enter(v) // a stranger is told the same
	}
	if err := s.site.Render(w, http.StatusNotFound, pages.NotFound{Common: v.common}); err != nil {
		s.refuse(w, r, err)
	}
}

package polls

import (
	"context"
	"net/http"
	"strings"
	"time"
)

// Cookies serve our own pages only. The session cookie carries an auth token, so
// that a revoked one ends the session too; the viewer cookie an anonymous id.
const (
	sessionCookie = "stoa_session"
	viewerCookie  = "stoa_viewer"
)

// cookieLife is as long as browsers keep a cookie. Tokens end before it.
const cookieLife = 400 * 24 * time.Hour

// byCookies is who uses our own pages. Cookies that are not good any more are
// ignored and cleared.
func (s *Service) byCookies(ctx context.Context, w http.ResponseWriter, r *http.Request) (viewer, error) {
	if len(r.Header["Cookie"]) == 0 {
		return viewer{}, nil
	}
	if session, err := r.Cookie(s.cookieName(sessionCookie)); err == nil {
		v, err := s.byToken(ctx, session.Value)
		if err == nil || !refused(err) {
			return v, err
		}
		s.signOut(w)
	}
	if known, err := r.Cookie(s.cookieName(viewerCookie)); err == nil {
		if v, err := s.byAnonymousID(known.Value); err == nil {
			return v, nil
		}
		s.setCookie(w, viewerCookie, "", -1)
	}
	return viewer{}, nil
}

// signIn lets a browser act with a token.
func (s *Service) signIn(w http.ResponseWriter, token string) {
	s.setCookie(w, sessionCookie, token, cookieLife)
}

// signOut makes a browser forget its token, which stays good unless it is revoked.
func (s *Service) signOut(w http.ResponseWriter) { s.setCookie(w, sessionCookie, "", -1) }

// keepAnonymous lets a browser without an account be the same voter next time.
func (s *Service) keepAnonymous(w http.ResponseWriter, id string) {
	s.setCookie(w, viewerCookie, id, cookieLife)
}

// setCookie sets a cookie, or clears it when its life is negative.
func (s *Service) setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	age := int(life / time.Second)
	if life < 0 {
		age = -1
	}
	http.SetCookie(w, &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", MaxAge: age,
		HttpOnly: true, Secure: s.secure(), SameSite: http.SameSiteLaxMode,
	})
}

// cookieName tells environments apart: those on two ports of one host get each
// other's cookies.
func (s *Service) cookieName(name string) string {
	if s.Environment != Production {
		name += "_" + s.Environment
	}
	if s.secure() {
		name = "__Host-" + name
	}
	return name
}

func (s *Service) secure() bool { return strings.HasPrefix(s.Origin, "https://") }

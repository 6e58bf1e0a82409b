package polls

import (
	"context"
	"net/http"
	"strings"

	"stoa/polls/internal/credential"
	"stoa/polls/internal/wire"
)

// viewer is who asks: an account, somebody without one, or nobody.
type viewer struct {
	account     *account         // nil: no account
	token       string           // that the account showed
	anonymousID string           // that somebody without an account showed
	voter       credential.Voter // how their vote is kept; empty for nobody
}

func (v *viewer) operator() bool { return v.account != nil && v.account.operator }

// identify finds out who calls. The first of these that is there counts: the
// parameter auth_token, a bearer token, the parameter anonymous_user_id, and, only
// for our own pages, the cookies.
//
// What is shown and is not good is refused, also where nobody needs to be known: to
// take a caller for somebody else would put votes under a wrong name.
func (s *Service) identify(c *call) (viewer, error) {
	token, err := presentedToken(c)
	if err != nil {
		return viewer{}, err
	}
	anonymous, hasAnonymous, err := c.params.String("anonymous_user_id")
	if err != nil {
		return viewer{}, err
	}
	switch {
	case token != "" && hasAnonymous && c.votes():
		return viewer{}, wire.Errorf(wire.AmbiguousIdentity, "anonymous_user_id", "send auth_token or anonymous_user_id, not both")
	case token != "":
		return s.byToken(c.r.Context(), token)
	case hasAnonymous:
		return s.byAnonymousID(anonymous)
	case s.sameOrigin(c.r):
		return s.byCookies(c.r.Context(), c.w, c.r)
	}
	return viewer{}, nil
}

// votes tells whether the call casts or removes a vote.
func (c *call) votes() bool { return strings.Contains(c.r.Pattern, "/votes") }

func presentedToken(c *call) (string, error) {
	token, _, err := c.params.String("auth_token")
	if err != nil {
		return "", err
	}
	scheme, bearer, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return token, nil
	}
	bearer = strings.TrimSpace(bearer)
	if bearer == "" {
		return token, nil
	}
	if token != "" && bearer != token {
		return "", wire.Errorf(wire.AmbiguousIdentity, "auth_token", "auth_token and the Authorization header name different tokens; send one")
	}
	return bearer, nil
}

func (s *Service) byToken(ctx context.Context, token string) (viewer, error) {
	a, err := s.accountOf(ctx, token)
	if err != nil {
		return viewer{}, err
	}
	if a == nil {
		return viewer{}, wire.Errorf(wire.InvalidToken, "auth_token", "this token is not good any more; log in again")
	}
	return viewer{account: a, token: token, voter: credential.AccountVoter(a.id)}, nil
}

func (s *Service) byAnonymousID(id string) (viewer, error) {
	known, good := s.keys.Verify(id)
	if !good {
		return viewer{}, wire.Errorf(wire.InvalidAnonymousUserID, "anonymous_user_id", "this id was not made here; get one from GET /users/me")
	}
	return viewer{anonymousID: id, voter: s.keys.AnonymousVoter(known)}, nil
}

// sameOrigin tells whether our own page sent the request, so that its cookies may
// speak. A cross-site caller's cookies are never read.
func (s *Service) sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		return origin == s.Origin
	}
	if referer := r.Header.Get("Referer"); referer != "" {
		return referer == s.Origin || strings.HasPrefix(referer, s.Origin+"/")
	}
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

package polls

import (
	"errors"
	"net/http"
	"strings"

	"stoa/polls/internal/wire"
)

// Visitor is the account that a request comes from: by a bearer token, or, from our own
// pages, by the cookie of a login. Others are not known.
func (s *Service) Visitor(w http.ResponseWriter, r *http.Request) (who User, known bool, err error) {
	var v viewer
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		v, err = s.byToken(r.Context(), strings.TrimSpace(token))
		if refused(err) {
			return User{}, false, nil
		}
	case s.sameOrigin(r):
		v, err = s.byCookies(r.Context(), w, r)
	}
	if err != nil || v.account == nil {
		return User{}, false, err
	}
	return v.account.user(), true, nil
}

// Refusal is what an error tells a caller of the API, if it is one for them.
func Refusal(err error) (status int, message string, ok bool) {
	refusal, ok := errors.AsType[*wire.Error](err)
	if !ok {
		return 0, "", false
	}
	return refusal.Code.Status(), refusal.Message, true
}

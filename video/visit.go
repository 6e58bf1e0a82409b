package video

import (
	"net/http"
	"time"

	"stoa/video/internal/problem"
)

// visit is a request of somebody for a video or a live stream.
type visit struct {
	s       *Service
	w       http.ResponseWriter
	r       *http.Request
	of      visited
	session string       // of a private one
	token   privateToken // to be spent for the session; zero if that is open already
}

// visited is what somebody asks for.
type visited struct {
	id   string
	live bool
}

// cookie has the session of a browser, which sends it where the addresses are. Those of
// private live streams begin with a token, so the id is in the name instead.
func (of visited) cookie() string {
	if of.live {
		return sessionCookie + "_" + of.id
	}
	return sessionCookie
}

func (of visited) path() string {
	if of.live {
		return "/live"
	}
	return "/vod/" + of.id
}

// missing is the answer to who may not see it.
func (of visited) missing() error {
	if of.live {
		return errNoLiveStream
	}
	return errNoVideo
}

// enter is for what is private: with a session, or with a token that can open one.
func (v *visit) enter(token string) error {
	if v.session = v.s.sessionOf(v.r, v.of); v.session != "" {
		return nil
	}
	now := time.Now()
	t, good := v.s.checkPrivateToken(token, v.of.id, now)
	if good {
		var err error
		if good, err = v.s.unspent(v.r.Context(), t); err != nil {
			return err
		}
	}
	if !good {
		return v.of.missing()
	}
	v.token, v.session = t, v.s.newSession(v.of.id, now).String()
	return nil
}

// carry is the query that addresses of something private end with.
func (v *visit) carry() string {
	if v.session == "" {
		return ""
	}
	return "?" + sessionQuery + "=" + v.session
}

// begin is called when there is something to answer with, and before any of it is
// written: only then is a token spent. how is for how long the answer can be kept;
// that of something private is nobody else's, and neither is any that not everybody
// would get.
func (v *visit) begin(how string) error {
	if v.token != (privateToken{}) && v.r.Method != http.MethodHead {
		if err := v.s.spend(v.r.Context(), v.of, v.token); err != nil {
			return err
		}
		v.s.giveSession(v.w, v.of, v.session)
	}
	if v.session != "" || v.s.gate.chooses() {
		how = "private, " + how
	}
	v.w.Header().Set("Cache-Control", how)
	return nil
}

// answerSession is for viewers without cookies.
func (v *visit) answerSession() error {
	if err := v.begin("no-store"); err != nil {
		return err
	}
	return problem.JSON(v.w, http.StatusOK, map[string]string{"session_token": v.session})
}

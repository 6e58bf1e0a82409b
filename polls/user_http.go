package polls

import (
	"errors"
	"net/http"
	"time"

	"stoa/internal/web"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

func (s *Service) userRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/users/me":            s.open(limits.Mint, s.getMe),
		"PATCH " + base + "/users/me":          s.signedIn(limits.Write, s.patchMe),
		"POST " + base + "/users":              s.open(limits.Signup, s.once(s.postUser)),
		"POST " + base + "/users/authenticate": s.open(limits.Authenticate, s.postLogin),
		"POST " + base + "/users/sign_out":     s.signedIn(limits.Write, s.postSignOut),
		"GET " + base + "/users/{username}":    s.open(limits.Read, s.getUser),
		"GET " + base + "/users/authenticate":  nil,
		"GET " + base + "/users/sign_out":      nil,
		"GET /portraits/{file}":                s.getPortrait,
		"GET /confirm":                         s.open(limits.Read, s.getConfirm),
	}
}

// getMe tells callers who they are, and makes an anonymous id for those who are
// nobody yet.
func (s *Service) getMe(c *call) error {
	c.w.Header().Set("Cache-Control", "no-store")
	if a := c.viewer.account; a != nil {
		me := s.encoder.user(a)
		me.AuthToken = c.viewer.token
		var err error
		if me.Publisher, err = readTeamOf(c.r.Context(), s.db, a.id); err != nil {
			return err
		}
		return c.json(http.StatusOK, me)
	}
	id := c.viewer.anonymousID
	if id == "" {
		id = s.keys.Mint(time.Now()).Reveal()
	}
	return c.json(http.StatusOK, map[string]string{"anonymousUserID": id})
}

func (s *Service) postLogin(c *call) error {
	name, err := c.params.NeedString("email_or_username")
	if err != nil {
		return err
	}
	password, err := c.params.NeedString("password")
	if err != nil {
		return err
	}
	a, token, err := s.logIn(c.r.Context(), name, password)
	if err != nil {
		return err
	}
	return s.answerSelf(c, http.StatusOK, a, token)
}

func (s *Service) postUser(c *call) error {
	var n NewUser
	for _, t := range []struct {
		field string
		to    *string
	}{{"username", &n.Username}, {"email", &n.Email}, {"password", &n.Password}} {
		var err error
		if *t.to, _, err = c.params.String(t.field); err != nil {
			return err
		}
	}
	ch, err := readProfileParams(c.params)
	if err != nil {
		return err
	}
	n.Profile = ch.profile()
	a, token, err := s.signUp(c.r.Context(), n)
	if err != nil {
		return asSent(c.params, err)
	}
	return s.answerSelf(c, http.StatusCreated, a, token)
}

// patchMe changes one's own account. An empty parameter counts as not given, as
// everywhere; a text of blanks empties a field.
func (s *Service) patchMe(c *call) error {
	ch, err := readProfileParams(c.params)
	if err != nil {
		return err
	}
	if ch.email, err = optional(c.params, "email"); err != nil {
		return err
	}
	if ch.password, err = optional(c.params, "password"); err != nil {
		return err
	}
	if ch.currentPassword, _, err = c.params.String("current_password"); err != nil {
		return err
	}
	a, err := s.changeAccount(c.r.Context(), c.user(), c.viewer.token, ch)
	if err != nil {
		return asSent(c.params, err)
	}
	return s.answerSelf(c, http.StatusOK, a, c.viewer.token)
}

func (s *Service) postSignOut(c *call) error {
	if err := s.revokeToken(c.r.Context(), c.viewer.token); err != nil {
		return err
	}
	return c.done()
}

func (s *Service) getUser(c *call) error {
	username, err := c.params.NeedString("username")
	if err != nil {
		return err
	}
	j, err := s.profile(c.r.Context(), username)
	if err != nil {
		return err
	}
	c.w.Header().Set("Cache-Control", "no-cache")
	return c.json(http.StatusOK, j)
}

// answerSelf answers with the caller's own account, and its token.
func (s *Service) answerSelf(c *call, status int, a *account, token string) error {
	c.issued = token
	j, err := s.self(c.r.Context(), a, token)
	if err != nil {
		return err
	}
	c.w.Header().Set("Cache-Control", "no-store")
	return c.json(status, j)
}

// readProfileParams reads what sign-up and profile have in common.
func readProfileParams(p *wire.Params) (ch accountChange, err error) {
	for _, t := range []struct {
		field string
		to    **string
	}{
		{"name", &ch.name}, {"location", &ch.location}, {"website", &ch.website}, {"about", &ch.about},
		{"social_username", &ch.social}, {"twitter_username", &ch.social}, // the last one given wins
	} {
		value, err := optional(p, t.field)
		if err != nil {
			return ch, err
		}
		if value != nil {
			*t.to = value
		}
	}
	return ch, nil
}

// asSent tells a refused social username by the one of its two names that counts.
func asSent(p *wire.Params, err error) error {
	refusal, ok := errors.AsType[*wire.Error](err)
	if !ok || refusal.Field != "social_username" || !p.Has("twitter_username") {
		return err
	}
	renamed := *refusal
	renamed.Field = "twitter_username"
	return &renamed
}

// optional is a text that may be absent.
func optional(p *wire.Params, name string) (*string, error) {
	value, given, err := p.String(name)
	if err != nil || !given {
		return nil, err
	}
	return &value, nil
}

func (ch *accountChange) profile() Profile {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	return Profile{text(ch.name), text(ch.location), text(ch.website), text(ch.about), text(ch.social)}
}

package polls

import (
	"net/http"
	"net/netip"
	"time"

	"stoa/internal/web"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

// call is one request to the API: read, identified, and within its limits.
type call struct {
	w       http.ResponseWriter
	r       *http.Request
	params  *wire.Params
	viewer  viewer
	address netip.Addr
	issued  string // a token that the answer holds; see once
}

// endpoint answers a call.
type endpoint func(*call) error

// open is an endpoint for everybody.
func (s *Service) open(route limits.Route, serve endpoint) web.Handler {
	return s.answer(route, wire.Read, serve)
}

// signedIn is an endpoint for accounts.
func (s *Service) signedIn(route limits.Route, serve endpoint) web.Handler {
	return s.open(route, func(c *call) error {
		if c.viewer.account == nil {
			return wire.Errorf(wire.AuthenticationRequired, "auth_token", "this needs an account; log in and send the auth_token")
		}
		return serve(c)
	})
}

// answer does what all calls have in common, in the order in which the first thing
// that is wrong is told: can it be read, is the identity good, are there too many.
func (s *Service) answer(route limits.Route, read func(*http.Request) (*wire.Params, error), serve endpoint) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		c := &call{w: w, r: r, address: web.ClientAddress(r, s.Proxies)}
		var err error
		if c.params, err = read(r); err == nil {
			c.viewer, err = s.identify(c)
		}
		if over := s.limit(c, route); over != nil {
			return over
		}
		if err != nil {
			return err
		}
		return serve(c)
	}
}

// limit refuses a call that is one too many. A call that is refused anyway counts
// for its address all the same.
func (s *Service) limit(c *call, route limits.Route) error {
	question := limits.Call{Route: route}
	if route == limits.Mint && c.viewer.voter != "" { // somebody already, so no id is made
		question.Route = limits.Read
	}
	if route == limits.Vote && c.params != nil && c.r.Method == http.MethodPost {
		question.Poll, _ = c.params.ID("poll_id")
	}
	if route == limits.Authenticate && c.params != nil {
		question.Account, _, _ = c.params.String("email_or_username")
	}
	return s.within(c, question)
}

// within refuses what is one too many. The question says what is wanted; who wants
// it is known.
func (s *Service) within(c *call, question limits.Call) error {
	if c.viewer.operator() {
		return nil
	}
	question.Address = c.address
	if c.viewer.account != nil {
		question.User = c.viewer.account.id
	} else {
		question.Voter = string(c.viewer.voter)
	}
	answer, err := s.limits.Ask(c.r.Context(), question)
	if err != nil || !answer.Over {
		return err
	}
	answer.Headers(c.w.Header())
	refusal := wire.Errorf(wire.RateLimited, "", "too many requests; try again in %s", answer.Reset.Round(time.Second))
	refusal.RetryAfter = answer.Reset
	return refusal
}

// withinVotes refuses a vote by a form that is one too many. To take one back, choice 0,
// uses up none.
func (s *Service) withinVotes(c *call, poll int64, choice int) error {
	question := limits.Call{Route: limits.Vote}
	if choice != 0 {
		question.Poll = poll
	}
	return s.within(c, question)
}

// LimitValue is the value that calls ask the rate limit service with where an operator
// writes an address or the name of an account, which rules and counters never see.
func (s *Service) LimitValue(key, value string) string { return s.limits.Value(key, value) }

// setCaching is for an answer that depends on who asks: caches ask again each time, and
// shared ones keep only what nobody in particular was told.
func (c *call) setCaching() {
	how := "no-cache"
	if c.viewer.voter != "" {
		how = "private, no-cache"
	}
	c.w.Header().Set("Cache-Control", how)
}

// json answers with a value.
func (c *call) json(status int, v any) error { return wire.JSON(c.w, status, v) }

// done is the answer of a write that has nothing else to say.
func (c *call) done() error { return c.json(http.StatusOK, map[string]bool{"success": true}) }

// user is the account that calls, 0 for none.
func (c *call) user() int64 {
	if c.viewer.account == nil {
		return 0
	}
	return c.viewer.account.id
}

package polls

import (
	"slices"
	"time"

	"stoa/polls/internal/wire"
)

// postFrame does what the form of a page without script wants, and gives the page
// back. What is refused is told on it.
func (s *Service) postFrame(c *call, f *frame) error {
	state := frameState{poll: f.polls[0]}
	if view, _, _ := c.params.String("view_id"); viewID.MatchString(view) {
		state.viewID = view
	}
	err := s.identifyForm(c)
	if err == nil {
		err = s.act(c, f, &state)
	}
	if err != nil {
		state.refusal = s.refusal(c.w, c.r, err)
	}
	state.viewer = c.viewer
	return s.renderFrame(c, f, state)
}

// identifyForm knows a reader by the id that the form had. One that is not good is
// refused and replaced, so that the next try works.
func (s *Service) identifyForm(c *call) error {
	given, _, err := c.params.String("anonymous_user_id")
	if err != nil {
		return err
	}
	var refused error
	if given != "" {
		if c.viewer, refused = s.byAnonymousID(given); refused == nil {
			return nil
		}
		refused = wire.Errorf(wire.InvalidAnonymousUserID, "anonymous_user_id", "this page was too old to vote; please try again now")
	}
	id, err := s.mintFor(c)
	if err != nil {
		return err
	}
	if id != "" {
		c.viewer, err = s.byAnonymousID(id)
	}
	if refused != nil {
		return refused
	}
	return err
}

// act does what the pressed button says.
func (s *Service) act(c *call, f *frame, state *frameState) error {
	if to, ok := c.params.ID("show"); ok && slices.Contains(f.polls, to) {
		state.poll = to
		return nil
	}
	posted, ok := c.params.ID("poll_id")
	if !ok || !slices.Contains(f.polls, posted) {
		return wire.Errorf(wire.PollNotFound, "poll_id", "that poll is no longer shown here")
	}
	state.poll = posted
	action, _, err := c.params.String("action")
	if err != nil {
		return err
	}
	switch action {
	case "results":
		state.showResults = true
		return nil
	case "remove":
		return s.castFromForm(c, posted, 0)
	case "vote":
		option, _, err := c.params.Number("option")
		if err != nil || option != 1 && option != 2 {
			return wire.Errorf(wire.InvalidParameter, "option", "choose one of the two, then press the button again")
		}
		return s.castFromForm(c, posted, int(option))
	}
	return wire.Errorf(wire.InvalidParameter, "action", "action must be vote, remove or results")
}

func (s *Service) castFromForm(c *call, poll int64, choice int) error {
	if c.viewer.voter == "" {
		return wire.Errorf(wire.RateLimited, "", "too many people vote from here; try again in a minute")
	}
	if err := s.withinVotes(c, poll, choice); err != nil {
		return err
	}
	through, err := s.sealOf(c)
	if err != nil {
		return err
	}
	_, err = s.box.cast(c.r.Context(), &ballot{poll: poll, voter: c.viewer.voter, choice: choice, seal: through, at: time.Now()})
	return err
}

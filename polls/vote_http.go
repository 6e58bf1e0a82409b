package polls

import (
	"net/http"
	"strconv"
	"time"

	"stoa/internal/web"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

func (s *Service) voteRoutes() web.Routes {
	return web.Routes{
		"POST " + base + "/polls/{poll_id}/votes":          s.open(limits.Vote, s.postVote),
		"DELETE " + base + "/polls/{poll_id}/votes/remove": s.open(limits.Vote, s.removeVote),
		"GET " + base + "/polls/{poll_id}/events":          s.open(limits.Read, s.getEvents),
	}
}

// postVote casts a vote, or changes it.
func (s *Service) postVote(c *call) error {
	if c.viewer.voter == "" {
		return errNoVoter
	}
	choice, err := c.params.NeedNumber("option")
	if err != nil {
		return err
	}
	if choice != 1 && choice != 2 {
		return wire.Errorf(wire.InvalidParameter, "option", "option must be 1 or 2")
	}
	through, err := s.sealOf(c)
	if err != nil {
		return err
	}
	return s.castBallot(c, int(choice), through)
}

// removeVote takes a vote back. Where there is none, none is taken.
func (s *Service) removeVote(c *call) error {
	if c.viewer.voter == "" {
		return errNoVoter
	}
	return s.castBallot(c, 0, seal{})
}

var errNoVoter = wire.Errorf(wire.AuthenticationRequired, "auth_token", "send an auth_token, or an anonymous_user_id from GET /users/me")

func (s *Service) castBallot(c *call, choice int, through seal) error {
	id, hasKey, err := s.addressed(c)
	if err != nil {
		return err
	}
	tally, err := s.box.cast(c.r.Context(), &ballot{
		poll: id, voter: c.viewer.voter, user: c.user(), choice: choice, hasKey: hasKey, seal: through, at: time.Now(),
	})
	if err != nil {
		return err
	}
	wire.Encoded(c.w, http.StatusOK, appendVoteAnswer(make([]byte, 0, 256), tally, choice))
	return nil
}

// appendVoteAnswer writes how the poll stands with the vote, which spares the
// client a second request for its bars. It is the answer that is given most, so it
// is written by hand.
func appendVoteAnswer(dst []byte, t tally, choice int) []byte {
	first, second := t.percentages()
	member := func(name string, n int64) {
		dst = append(append(append(dst, `,"`...), name...), `":`...)
		dst = strconv.AppendInt(dst, n, 10)
	}
	dst = append(dst, `{"success":true`...)
	member("voteCount", t.total())
	member("firstChoiceVoteCount", t.first)
	member("secondChoiceVoteCount", t.second)
	member("firstChoicePercentage", first)
	member("secondChoicePercentage", second)
	if choice != 0 {
		member("userVote", int64(choice))
	}
	return append(dst, '}')
}

package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"stoa/internal/db"
	"stoa/internal/web"
	"stoa/polls/internal/credential"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

func (s *Service) pollRoutes() web.Routes {
	return web.Routes{
		"POST " + base + "/polls":             s.signedIn(limits.CreatePoll, s.once(s.postPoll)),
		"GET " + base + "/polls/{poll_id}":    s.open(limits.Read, s.getPoll),
		"DELETE " + base + "/polls/{poll_id}": s.signedIn(limits.Write, s.removePoll),
	}
}

// postPoll makes a poll, and tells where its image is to be uploaded.
func (s *Service) postPoll(c *call) error {
	asked, err := readNewPoll(c.params)
	if err != nil {
		return err
	}
	p, form, err := s.createPoll(c.r.Context(), c.viewer.account, asked)
	if err != nil {
		return err
	}
	answer := s.encoder.details(p, nil, true)
	answer.Success = true
	answer.pollUpload = &pollUpload{p.imageID, uploadJSON{s.uploadURL(), form}}
	c.w.Header().Set("Location", s.Origin+base+"/polls/"+strconv.FormatInt(p.id, 10))
	return c.json(http.StatusCreated, answer)
}

// removePoll deletes a poll.
func (s *Service) removePoll(c *call) error {
	id, hasKey, err := s.addressed(c)
	if err != nil {
		return err
	}
	if err := s.deletePoll(c.r.Context(), c.viewer.account, id, hasKey); err != nil {
		return err
	}
	return c.done()
}

// addressed is the poll that a call names, and whether it brings the key of a
// private one.
func (s *Service) addressed(c *call) (id int64, hasKey bool, err error) {
	id, ok := c.params.ID("poll_id")
	if !ok {
		return 0, false, errPollNotFound(0)
	}
	key, _, err := c.params.String("poll_key")
	if err != nil {
		return 0, false, err
	}
	return id, key != "" && s.keys.OpensPoll(id, key), nil
}

// seen is the poll that a call names, if the caller may see it.
func (s *Service) seen(c *call) (*pollCopy, error) {
	id, hasKey, err := s.addressed(c)
	if err != nil {
		return nil, err
	}
	p, err := s.copies.poll(c.r.Context(), id)
	if err != nil {
		return nil, err
	}
	if p == nil || !p.visibleTo(c.user(), hasKey) {
		return nil, errPollNotFound(id)
	}
	return p, nil
}

// getPoll shows one poll, with the vote of whoever looks at it.
func (s *Service) getPoll(c *call) error {
	p, err := s.seen(c)
	if err != nil {
		return err
	}
	c.setCaching()
	if c.viewer.voter == "" {
		p.full().Answer(c.w, c.r)
		return nil
	}
	own, err := readOwnVote(c.r.Context(), s.db, p.id, c.viewer.voter)
	if err != nil {
		return err
	}
	wire.NewTagged(must(s.encoder.details(p.poll, own, c.user() == p.creator))).Answer(c.w, c.r)
	return nil
}

// readOwnVote is the vote of a voter, nil when there is none.
func readOwnVote(ctx context.Context, q querier, poll int64, voter credential.Voter) (*ownVote, error) {
	var own ownVote
	var changed int64
	err := q.QueryRow(ctx, "SELECT choice, changed_at FROM votes WHERE poll_id = $1 AND voter = $2", poll, voter).Scan(&own.choice, &changed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read a vote on poll %d: %w", poll, err)
	}
	own.date = timestamp(db.Time(changed))
	return &own, nil
}

package polls

import (
	"net/http"

	"stoa/internal/web"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

func (s *Service) socialRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/polls/{poll_id}/comments":                 s.open(limits.Read, s.listComments),
		"POST " + base + "/polls/{poll_id}/comments":                s.signedIn(limits.Comment, s.once(s.postComment)),
		"DELETE " + base + "/polls/{poll_id}/comments/{comment_id}": s.signedIn(limits.Write, s.removeComment),
		"POST " + base + "/polls/{poll_id}/favorite":                s.signedIn(limits.Write, s.postFavorite),
		"DELETE " + base + "/polls/{poll_id}/favorite":              s.signedIn(limits.Write, s.removeFavorite),
		"POST " + base + "/users/{username}/follow":                 s.signedIn(limits.Write, s.postFollow),
		"DELETE " + base + "/users/{username}/follow":               s.signedIn(limits.Write, s.removeFollow),
	}
}

const (
	commentPage    = 20
	maxCommentPage = 100
)

func (s *Service) listComments(c *call) error {
	before, given, err := c.params.Number("before_comment_id")
	if err != nil {
		return err
	}
	if !given {
		before = wire.MaxNumber
	}
	limit, given, err := c.params.Number("limit")
	if err != nil {
		return err
	}
	switch {
	case !given:
		limit = commentPage
	case limit < 1:
		return wire.Errorf(wire.InvalidParameter, "limit", "limit must be 1 to %d", maxCommentPage)
	}
	p, err := s.seen(c)
	if err != nil {
		return err
	}
	comments, err := readComments(c.r.Context(), s.db, p.id, before, int(min(limit, maxCommentPage)))
	if err != nil {
		return err
	}
	c.w.Header().Set("Cache-Control", "no-cache")
	return c.json(http.StatusOK, s.encoder.comments(comments))
}

func (s *Service) postComment(c *call) error {
	body, err := c.params.NeedString("body")
	if err != nil {
		return err
	}
	poll, hasKey, err := s.addressed(c)
	if err != nil {
		return err
	}
	said, err := s.addComment(c.r.Context(), c.viewer.account, poll, hasKey, body)
	if err != nil {
		return err
	}
	j := s.encoder.comment(*said)
	j.Success = true
	return c.json(http.StatusCreated, j)
}

func (s *Service) removeComment(c *call) error {
	poll, hasKey, err := s.addressed(c)
	if err != nil {
		return err
	}
	id, _ := c.params.ID("comment_id") // 0 is no comment's
	if err := s.deleteComment(c.r.Context(), c.viewer.account, poll, hasKey, id); err != nil {
		return err
	}
	return c.done()
}

func (s *Service) postFavorite(c *call) error   { return s.answerFavorite(c, true) }
func (s *Service) removeFavorite(c *call) error { return s.answerFavorite(c, false) }

func (s *Service) answerFavorite(c *call, on bool) error {
	poll, hasKey, err := s.addressed(c)
	if err != nil {
		return err
	}
	count, err := s.setFavorite(c.r.Context(), c.viewer.account, poll, hasKey, on)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, struct {
		Success       bool  `json:"success"`
		FavoriteCount int64 `json:"favoriteCount"`
	}{true, count})
}

func (s *Service) postFollow(c *call) error   { return s.answerFollow(c, true) }
func (s *Service) removeFollow(c *call) error { return s.answerFollow(c, false) }

func (s *Service) answerFollow(c *call, on bool) error {
	username, err := c.params.NeedString("username")
	if err != nil {
		return err
	}
	if err := s.setFollow(c.r.Context(), c.viewer.account, username, on); err != nil {
		return err
	}
	return c.done()
}

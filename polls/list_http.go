package polls

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"stoa/internal/web"
	"stoa/polls/internal/credential"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

func (s *Service) listRoutes() web.Routes {
	return web.Routes{
		"GET " + base + "/polls":                             s.open(limits.Read, s.listPolls),
		"GET " + base + "/users/{username}/polls_created":    s.open(limits.Read, s.listPollsCreated),
		"GET " + base + "/users/{username}/poll_ids_created": s.open(limits.Read, s.listPollIDsCreated),
	}
}

// listPolls shows a page of the recent list.
func (s *Service) listPolls(c *call) error {
	before, err := readBefore(c.params)
	if err != nil {
		return err
	}
	tag, given, err := c.params.String("tag")
	if err != nil {
		return err
	}
	if given {
		if tag, err = text.Tag(tag); err != nil {
			return refuseText("tag", err)
		}
	}
	page, err := s.recent(c.r.Context(), before, tag)
	if err != nil {
		return err
	}
	h := c.w.Header()
	if page.more {
		next := s.Origin + base + "/polls?before_poll_id=" + strconv.FormatInt(page.members[feedSize-1], 10)
		if tag != "" {
			next += "&tag=" + url.QueryEscape(tag)
		}
		h.Set("Link", "<"+next+`>; rel="next"`)
	}
	h.Set("Cache-Control", "no-cache")
	wire.Encoded(c.w, http.StatusOK, page.body)
	return nil
}

// readBefore is the number below which a list begins.
func readBefore(p *wire.Params) (int64, error) {
	before, given, err := p.Number("before_poll_id")
	if err != nil || !given {
		return wire.MaxNumber, err
	}
	return before, nil
}

// What a page of polls_created may be.
const (
	defaultLimit = 10
	maxLimit     = 100
	maxPage      = 100_000
)

// listPollsCreated shows the polls that somebody made.
func (s *Service) listPollsCreated(c *call) error {
	page, err := atLeastOne(c.params, "page", 1)
	if err != nil {
		return err
	}
	if page > maxPage {
		return wire.Errorf(wire.InvalidParameter, "page", "page must be at most %d", maxPage)
	}
	limit, err := atLeastOne(c.params, "limit", defaultLimit)
	if err != nil {
		return err
	}
	limit = min(limit, maxLimit)
	before, err := readBefore(c.params)
	if err != nil {
		return err
	}
	username, err := c.params.NeedString("username")
	if err != nil {
		return err
	}
	polls, total, err := s.createdPolls(c.r.Context(), createdList{
		username: username, viewer: c.user(), before: before, offset: (page - 1) * limit, limit: limit,
	})
	if err != nil {
		return err
	}
	all := []*pollJSON{}
	for _, p := range polls {
		all = append(all, s.encoder.listed(p.poll, c.user() == p.creator))
	}
	h := c.w.Header()
	c.setCaching()
	h.Set("X-Total-Count", strconv.FormatInt(total, 10))
	h.Set("X-Page", strconv.FormatInt(page, 10))
	h.Set("X-Per-Page", strconv.FormatInt(limit, 10))
	address := s.Origin + base + "/users/" + url.PathEscape(username) + "/polls_created"
	if c.params.Has("before_poll_id") {
		if link := nextLink(address, polls, limit); link != "" {
			h.Set("Link", link)
		}
	} else {
		h.Set("Link", pageLinks(address, page, limit, total))
	}
	return c.json(http.StatusOK, all)
}

func atLeastOne(p *wire.Params, name string, otherwise int64) (int64, error) {
	n, given, err := p.Number(name)
	switch {
	case err != nil:
		return 0, err
	case !given:
		return otherwise, nil
	case n < 1:
		return 0, wire.Errorf(wire.InvalidParameter, name, "%s must be 1 or more", name)
	}
	return n, nil
}

// nextLink leads on in a walk by numbers of polls, which nothing can shift.
func nextLink(address string, polls []*pollCopy, limit int64) string {
	if int64(len(polls)) < limit {
		return ""
	}
	return fmt.Sprintf(`<%s?before_poll_id=%d&limit=%d>; rel="next"`, address, polls[len(polls)-1].id, limit)
}

// pageLinks leads to the pages around one. A list without polls has one page.
func pageLinks(address string, page, limit, total int64) string {
	last := max(1, (total+limit-1)/limit)
	var links []string
	link := func(rel string, page int64) {
		links = append(links, fmt.Sprintf(`<%s?page=%d&limit=%d>; rel="%s"`, address, page, limit, rel))
	}
	link("first", 1)
	if page > 1 {
		link("prev", min(page-1, last))
	}
	if page < last {
		link("next", page+1)
	}
	link("last", last)
	return strings.Join(links, ", ")
}

// listPollIDsCreated is the numbers of the polls that somebody made, all of them,
// or those that the viewer has not voted on.
func (s *Service) listPollIDsCreated(c *call) error {
	unvoted, _, err := c.params.String("unvoted")
	if err != nil {
		return err
	}
	var voter credential.Voter
	switch unvoted {
	case "true":
		voter = c.viewer.voter
	case "false", "":
	default:
		return wire.Errorf(wire.InvalidParameter, "unvoted", "unvoted must be true or false")
	}
	username, err := c.params.NeedString("username")
	if err != nil {
		return err
	}
	ids, _, err := s.createdIDs(c.r.Context(), createdList{
		username: username, viewer: c.user(), before: wire.MaxNumber, unvoted: voter, limit: wire.MaxNumber,
	})
	if err != nil {
		return err
	}
	c.setCaching()
	return c.json(http.StatusOK, map[string][]int64{"poll_ids": ids})
}

package demo

import (
	"context"
	"fmt"
	"net/http"
	"slices"
)

// fillTalk adds comments and favourites, and lets people follow each other.
func (d *Demo) fillTalk(ctx context.Context, s *step) error {
	s.begin(len(d.asked) + len(people))
	for _, p := range d.asked {
		if err := d.comment(ctx, p); err != nil {
			return err
		}
		for _, who := range p.favouriteOf {
			api := d.people[people[who].username]
			if err := api.call(ctx, http.MethodPost, fmt.Sprintf("/polls/%d/favorite", p.id), nil, nil); err != nil {
				return err
			}
		}
		s.next()
	}
	for i, p := range people {
		follow := "/users/" + people[(i+1)%len(people)].username + "/follow"
		if err := d.people[p.username].call(ctx, http.MethodPost, follow, nil, nil); err != nil {
			return err
		}
		s.next()
	}
	return nil
}

// comment writes the comments that are not there.
func (d *Demo) comment(ctx context.Context, p askedPoll) error {
	path := fmt.Sprintf("/polls/%d/comments", p.id)
	var there []struct{ Username, Body string }
	if err := d.polls.call(ctx, http.MethodGet, path, nil, &there); err != nil {
		return err
	}
	for _, c := range p.comments {
		by := people[c.by].username
		if slices.ContainsFunc(there, func(t struct{ Username, Body string }) bool { return t.Username == by && t.Body == c.body }) {
			continue
		}
		if err := d.people[by].call(ctx, http.MethodPost, path, map[string]string{"body": c.body}, nil); err != nil {
			return err
		}
	}
	return nil
}

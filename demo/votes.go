package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"
)

// fillVotes lets people vote, with and without an account. Who votes for what is the
// same in every run, and a vote that is there already is changed into itself.
func (d *Demo) fillVotes(ctx context.Context, s *step) error {
	if err := d.mintVoters(ctx); err != nil {
		return err
	}
	plans, total := make([][]vote, len(d.asked)), 0
	for i, p := range d.asked {
		plan := d.plan(p)
		now, err := d.count(ctx, p)
		if err != nil {
			return err
		}
		if now < int64(len(plan)) {
			plans[i] = plan
			total += len(plan)
		}
	}
	s.begin(total)
	var pace pace
	for i, plan := range plans {
		for _, v := range plan {
			if err := pace.wait(ctx); err != nil {
				return err
			}
			if err := d.cast(ctx, d.asked[i].id, v); err != nil {
				return err
			}
			s.next()
		}
	}
	for _, p := range d.asked {
		now, err := d.count(ctx, p)
		if err != nil {
			return err
		}
		d.made.Votes += now
	}
	return nil
}

// mintVoters asks for the ids of people without account, and keeps them.
func (d *Demo) mintVoters(ctx context.Context) error {
	for len(d.notes.Voters) < d.Size.Voters {
		var me struct{ AnonymousUserID string }
		if err := d.polls.call(ctx, http.MethodGet, "/users/me", nil, &me); err != nil {
			return err
		}
		d.notes.Voters = append(d.notes.Voters, me.AnonymousUserID)
	}
	return d.notes.save()
}

// vote is one to be cast: by an account, or by an id without one.
type vote struct {
	username, id string
	option       int
}

// plan is who votes for what in a poll.
func (d *Demo) plan(p askedPoll) []vote {
	var seed uint64
	for _, r := range p.caption {
		seed = seed*31 + uint64(r)
	}
	chance := rand.New(rand.NewPCG(seed, 0))
	var plan []vote
	consider := func(v vote) {
		takesPart, first := chance.IntN(100) < p.part, chance.IntN(100) < p.first
		v.option = 2
		if first {
			v.option = 1
		}
		if takesPart {
			plan = append(plan, v)
		}
	}
	for _, id := range d.notes.Voters[:d.Size.Voters] {
		consider(vote{id: id})
	}
	for _, who := range people {
		consider(vote{username: who.username})
	}
	return plan
}

func (d *Demo) count(ctx context.Context, p askedPoll) (int64, error) {
	var now poll
	err := d.polls.call(ctx, http.MethodGet, fmt.Sprintf("/polls/%d", p.id), nil, &now)
	return now.VoteCount, err
}

func (d *Demo) cast(ctx context.Context, poll int64, v vote) error {
	api, body := d.polls, map[string]any{"option": v.option}
	if v.username != "" {
		api = d.people[v.username]
	} else {
		body["anonymous_user_id"] = v.id
	}
	return api.call(ctx, http.MethodPost, fmt.Sprintf("/polls/%d/votes", poll), body, nil)
}

// pace leaves something of what an address may vote in a minute, so that whoever looks
// at the demo from this machine can vote too.
type pace struct {
	minute time.Time
	votes  int
}

const votesPerMinute = 240 // of the 300 of the shipped rules

func (p *pace) wait(ctx context.Context) error {
	now := time.Now().Truncate(time.Minute)
	if now.After(p.minute) {
		p.minute, p.votes = now, 0
	}
	if p.votes == votesPerMinute {
		if err := wait(ctx, time.Until(p.minute.Add(time.Minute))); err != nil {
			return err
		}
		p.minute, p.votes = time.Now().Truncate(time.Minute), 0
	}
	p.votes++
	return nil
}

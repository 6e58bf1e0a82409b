package polls

import (
	"context"
	"fmt"
	"strings"

	"stoa/polls/internal/credential"
	"stoa/polls/pages"
)

// pollView is a poll as pages show it, to somebody who may see it.
func (s *Service) pollView(p *poll, user int64, hasKey bool) pages.Poll {
	withKey := p.private && (hasKey || user == p.creator)
	address := s.encoder.pollURL(p, withKey)
	firstPercent, secondPercent := p.tally.percentages()
	firstWins, secondWins := p.tally.winning()
	view := pages.Poll{
		ID: p.id, Path: strings.TrimPrefix(address, s.Origin), URL: address,
		Caption: p.caption, Created: p.created, Private: p.private, Hidden: p.state == pollHidden, Creator: s.personView(p.by),
		Choices: [2]pages.Choice{
			{Name: p.choice[0], Votes: p.tally.first, Percent: int(firstPercent), Winning: firstWins},
			{Name: p.choice[1], Votes: p.tally.second, Percent: int(secondPercent), Winning: secondWins},
		},
		Votes: p.tally.total(), Comments: p.commentCount,
	}
	if withKey {
		view.Key = s.keys.PollKey(p.id)
	}
	if p.state == pollReady {
		view.Image = &pages.Image{
			URL: s.encoder.imageURL(p.image, "medium"), LargeURL: s.encoder.imageURL(p.image, "large"),
			Width: p.image.medium.width, Height: p.image.medium.height,
		}
	}
	return view
}

// pollViews are polls in a list, with the votes of whoever looks.
func (s *Service) pollViews(ctx context.Context, v *visit, polls []*pollCopy) ([]pages.Poll, error) {
	ids := make([]int64, len(polls))
	for i, p := range polls {
		ids[i] = p.id
	}
	own, err := readOwnVotes(ctx, s.db, v.viewer.voter, ids)
	if err != nil {
		return nil, err
	}
	views := make([]pages.Poll, len(polls))
	for i, p := range polls {
		views[i] = s.pollView(p.poll, v.user(), false)
		views[i].UserVote = own[p.id]
	}
	return views, nil
}

func (s *Service) personView(p person) pages.Person {
	return pages.Person{Username: p.username, Name: p.name, Photo: s.encoder.portrait(p.id, smallPortrait)}
}

var ownVotes = newSized(func(n int) string {
	return "SELECT poll_id, choice FROM votes WHERE voter = $1 AND poll_id IN (" + list(2, n) + ")"
})

// readOwnVotes is what a voter, perhaps nobody, chose in some of the polls.
func readOwnVotes(ctx context.Context, q querier, voter credential.Voter, polls []int64) (map[int64]int, error) {
	own := map[int64]int{}
	if voter == "" {
		return own, nil
	}
	for chunk := range chunks(polls) {
		rows, err := q.Query(ctx, ownVotes.of(len(chunk)), append([]any{voter}, anys(chunk)...)...)
		if err != nil {
			return nil, fmt.Errorf("read votes of a voter: %w", err)
		}
		for rows.Next() {
			var poll int64
			var choice int
			if err := rows.Scan(&poll, &choice); err != nil {
				rows.Close()
				return nil, fmt.Errorf("read votes of a voter: %w", err)
			}
			own[poll] = choice
		}
		if err := rows.Err(); err != nil {
			return nil, fmt.Errorf("read votes of a voter: %w", err)
		}
	}
	return own, nil
}

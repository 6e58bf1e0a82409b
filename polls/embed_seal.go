package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"time"
)

// maxVotingMS is the longest time of voting that is believed: five minutes.
const maxVotingMS = 300_000

var viewID = regexp.MustCompile(`^[A-Za-z0-9_-]{16,64}$`)

// sealOf is the embed that a vote comes through. Numbers of embeds are no reason
// to lose a vote: a seal that is not good is none.
func (s *Service) sealOf(c *call) (seal, error) {
	token, _, _ := c.params.String("embed_token")
	if token == "" {
		return seal{}, nil
	}
	through, good := s.keys.VerifyEmbed(token, time.Now())
	view, _, _ := c.params.String("view_id")
	poll, named := c.params.ID("poll_id")
	if !good || !viewID.MatchString(view) || !named {
		return seal{}, nil
	}
	shown, err := embedShows(c.r.Context(), s.db, through, poll)
	if err != nil || !shown {
		return seal{}, err
	}
	spent, _, _ := c.params.Number("voting_ms")
	return seal{embed: through, view: view, votingMS: min(max(spent, 0), maxVotingMS)}, nil
}

// embedShows tells whether a poll is one of those that an embed is for.
func embedShows(ctx context.Context, q querier, id, poll int64) (bool, error) {
	var found int
	err := q.QueryRow(ctx, `SELECT 1 FROM embeds WHERE id = $1 AND (kind = 'poll' AND target_id = $2
		OR kind = 'set' AND EXISTS (SELECT 1 FROM poll_set_polls WHERE poll_set_id = target_id AND poll_id = $2)
		OR kind = 'tag' AND EXISTS (SELECT 1 FROM poll_tags WHERE tag_id = target_id AND poll_id = $2))`, id, poll).Scan(&found)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for poll %d in embed %d: %w", poll, id, err)
	}
	return true, nil
}

package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

// Hide takes a poll out of sight, or shows it again: hidden, it is not there for
// anybody but its creator, who cannot do more than look at it or delete it. Its votes
// and comments stay. by is the operator.
func (s *Service) Hide(ctx context.Context, by int64, poll int64, on bool) error {
	return s.change(ctx, func(c *change) error {
		p, err := s.lockHead(ctx, c, poll)
		switch {
		case err != nil:
			return err
		case p == nil || p.state == pollDeleted:
			return errPollNotFound(poll)
		case p.state == pollWithoutImage:
			return wire.Errorf(wire.PollNotReady, "", "poll %d has no picture yet: nobody but its creator sees it", poll)
		case on == (p.state == pollHidden):
			return nil
		}
		state := pollReady
		if on {
			state = pollHidden
		}
		if _, err := c.Exec(ctx, "UPDATE polls SET state = $1, hidden_at = $2, hidden_by = $3 WHERE id = $4",
			state, db.Micros(time.Now()), by, poll); err != nil {
			return fmt.Errorf("hide poll %d: %w", poll, err)
		}
		if !p.private {
			c.mark(markFeed)
		}
		return c.touch(ctx, poll)
	})
}

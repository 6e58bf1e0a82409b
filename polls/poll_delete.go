package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

// deletePoll deletes a poll for its creator or an operator. What it leaves behind
// is cleared away soon, see house.go.
func (s *Service) deletePoll(ctx context.Context, by *account, poll int64, hasKey bool) error {
	err := s.change(ctx, func(c *change) error {
		d, err := readDraft(ctx, c, poll, s.db.ForUpdate())
		if err != nil {
			return err
		}
		switch {
		case d == nil:
			return errPollNotFound(poll)
		case d.state == pollDeleted && d.creator == by.id:
			return nil // any state leads here
		case d.state == pollDeleted, !by.operator && !d.visibleTo(by.id, hasKey):
			return errPollNotFound(poll)
		case !by.operator && d.creator != by.id:
			return wire.Errorf(wire.Forbidden, "", "only its creator may delete poll %d", poll)
		}
		return c.deletePoll(ctx, poll)
	})
	if err == nil {
		s.house.wake()
	}
	return err
}

// deletePoll takes a poll out of sight. The caller has locked its row.
func (c *change) deletePoll(ctx context.Context, poll int64) error {
	if _, err := c.Exec(ctx, "UPDATE polls SET state = $1, deleted_at = $2 WHERE id = $3",
		pollDeleted, db.Micros(time.Now()), poll); err != nil {
		return fmt.Errorf("delete poll %d: %w", poll, err)
	}
	c.mark(markFeed)
	return c.touch(ctx, poll)
}

package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// lockSeen reads a poll that an account sees, and keeps both as they are until the
// commit.
func (s *Service) lockSeen(ctx context.Context, c *change, poll, user int64, hasKey bool) (*pollHead, error) {
	p, err := s.lockHead(ctx, c, poll)
	if err != nil {
		return nil, err
	}
	if p == nil || !p.visibleTo(user, hasKey) {
		return nil, errPollNotFound(poll)
	}
	return p, s.lockWriter(ctx, c, user)
}

// lockHead reads a poll, nil when there is none, and keeps it as it is until the
// commit.
func (s *Service) lockHead(ctx context.Context, c *change, poll int64) (*pollHead, error) {
	p := new(pollHead)
	err := c.QueryRow(ctx, "SELECT "+pollHeadColumns+" FROM polls WHERE id = $1"+s.db.ForUpdate(), poll).Scan(p.targets()...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("lock poll %d: %w", poll, err)
	}
	return p, nil
}

// refuseUnready is for those who see a poll that others do not see yet, or any more.
func (p *pollHead) refuseUnready(field string) error {
	switch p.state {
	case pollReady:
		return nil
	case pollHidden:
		return wire.Errorf(wire.PollNotReady, field, "poll %d is hidden; ask an operator of this site to show it again", p.id)
	}
	return wire.Errorf(wire.PollNotReady, field, "poll %d has no image yet; upload it and announce it first", p.id)
}

// addComment says something about a poll.
func (s *Service) addComment(ctx context.Context, by *account, poll int64, hasKey bool, body string) (*comment, error) {
	body, err := text.Comment(body)
	if err != nil {
		return nil, refuseText("body", err)
	}
	said := &comment{body: body, by: by.person}
	err = s.change(ctx, func(c *change) error {
		p, err := s.lockSeen(ctx, c, poll, by.id, hasKey)
		if err != nil {
			return err
		}
		if err := by.mayPublish(); err != nil {
			return err
		}
		if err := p.refuseUnready(""); err != nil {
			return err
		}
		ids, err := s.db.NextIDs(ctx, c.Tx, "comment_ids", 1)
		if err != nil {
			return err
		}
		said.id, said.created = ids[0], time.Now()
		if _, err := c.Exec(ctx, "INSERT INTO comments (id, poll_id, user_id, body, created_at) VALUES ($1, $2, $3, $4, $5)",
			said.id, poll, by.id, body, db.Micros(said.created)); err != nil {
			return fmt.Errorf("store comment: %w", err)
		}
		return c.countComments(ctx, poll, 1)
	})
	return said, err
}

func (c *change) countComments(ctx context.Context, poll, n int64) error {
	if _, err := c.Exec(ctx, "UPDATE polls SET comment_count = comment_count + $1 WHERE id = $2", n, poll); err != nil {
		return fmt.Errorf("count comments of poll %d: %w", poll, err)
	}
	return c.touch(ctx, poll)
}

// deleteComment is for its author, the creator of the poll, and operators. Author
// and operator need not see the poll otherwise.
func (s *Service) deleteComment(ctx context.Context, by *account, poll int64, hasKey bool, id int64) error {
	return s.change(ctx, func(c *change) error {
		p, err := s.lockHead(ctx, c, poll)
		if err != nil {
			return err
		}
		if p == nil || p.state == pollDeleted {
			return errPollNotFound(poll)
		}
		var author int64
		err = c.QueryRow(ctx, "SELECT user_id FROM comments WHERE id = $1 AND poll_id = $2", id, poll).Scan(&author)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("read comment %d: %w", id, err)
		}
		switch {
		case author != by.id && !by.operator && !p.visibleTo(by.id, hasKey):
			return errPollNotFound(poll)
		case author == 0:
			return wire.Errorf(wire.Unknown, "comment_id", "there is no such comment")
		case author != by.id && !by.operator && by.id != p.creator:
			return wire.Errorf(wire.Forbidden, "comment_id", "only its author, the creator of the poll and operators may delete a comment")
		}
		if _, err := c.Exec(ctx, "DELETE FROM comments WHERE id = $1", id); err != nil {
			return fmt.Errorf("delete comment %d: %w", id, err)
		}
		return c.countComments(ctx, poll, -1)
	})
}

// setFavorite marks a poll as a favorite or takes the mark away, and returns how
// many have marked it.
func (s *Service) setFavorite(ctx context.Context, by *account, poll int64, hasKey, on bool) (count int64, err error) {
	err = s.change(ctx, func(c *change) error {
		p, err := s.lockSeen(ctx, c, poll, by.id, hasKey)
		if err != nil {
			return err
		}
		if err := p.refuseUnready(""); err != nil {
			return err
		}
		if err := c.favorite(ctx, by.id, poll, on); err != nil {
			return err
		}
		if err := c.QueryRow(ctx, "SELECT favorite_count FROM polls WHERE id = $1", poll).Scan(&count); err != nil {
			return fmt.Errorf("read favorites of poll %d: %w", poll, err)
		}
		return nil
	})
	return count, err
}

// favorite changes a mark and the count of its poll, if it is not so already. The
// poll must be locked.
func (c *change) favorite(ctx context.Context, user, poll int64, on bool) error {
	query, step, args := "DELETE FROM favorites WHERE user_id = $1 AND poll_id = $2", -1, []any{user, poll}
	if on {
		query, step = "INSERT INTO favorites (user_id, poll_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", 1
		args = append(args, db.Micros(time.Now()))
	}
	result, err := c.Exec(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("favorite of poll %d: %w", poll, err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := c.Exec(ctx, "UPDATE polls SET favorite_count = favorite_count + $1 WHERE id = $2", step, poll); err != nil {
		return fmt.Errorf("count favorites of poll %d: %w", poll, err)
	}
	return c.touch(ctx, poll)
}

// setFollow follows somebody, or stops it.
func (s *Service) setFollow(ctx context.Context, by *account, username string, on bool) error {
	if text.Fold(username) == text.Fold(by.username) {
		return wire.Errorf(wire.InvalidParameter, "username", "nobody can follow themselves")
	}
	return s.change(ctx, func(c *change) error {
		if err := s.lockWriter(ctx, c, by.id); err != nil {
			return err
		}
		followed, err := accountNamed(ctx, c, username)
		if err != nil {
			return err
		}
		if on {
			_, err = c.Exec(ctx, "INSERT INTO follows (follower_id, followed_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
				by.id, followed.id, db.Micros(time.Now()))
		} else {
			_, err = c.Exec(ctx, "DELETE FROM follows WHERE follower_id = $1 AND followed_id = $2", by.id, followed.id)
		}
		if err != nil {
			return fmt.Errorf("follow user %d: %w", followed.id, err)
		}
		return nil
	})
}

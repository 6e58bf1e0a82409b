package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"stoa/polls/internal/credential"
)

// deleteAtOnce is how many polls one transaction of a deletion changes, so that
// voters wait for none of them for long.
const deleteAtOnce = 100

// DeleteUser removes an account and what it made: its polls are deleted, its votes
// are taken back, its comments, favorites and follows are gone, its place in a team
// is free. Its username and e-mail address may be used again, its number never is.
//
// It goes step by step, the account being suspended from the first; called again,
// it goes on where it was cut off.
func (s *Service) DeleteUser(ctx context.Context, username string) error {
	a, err := accountNamed(ctx, s.db, username)
	if err != nil {
		return err
	}
	if err := s.change(ctx, func(c *change) error { return s.suspend(ctx, c, a.id, true) }); err != nil {
		return err
	}
	for _, step := range []func(context.Context, *change, int64) (left bool, err error){
		s.deletePollsOf, s.takeBackVotesOf, s.deleteCommentsOf, s.deleteFavoritesOf,
	} {
		for left := true; left; {
			err := s.change(ctx, func(c *change) (err error) {
				left, err = step(ctx, c, a.id)
				return err
			})
			if err != nil {
				return fmt.Errorf("delete user %d: %w", a.id, err)
			}
		}
	}
	return s.change(ctx, func(c *change) error { return bury(ctx, c, a.id) })
}

// eachPoll runs fn on some of the polls that a query names, locked in the order of
// their numbers as voters lock them. It tells whether there may be more.
func (s *Service) eachPoll(ctx context.Context, c *change, user int64, query string, fn func(poll int64) error) (left bool, err error) {
	polls, err := readIDs(ctx, c, query, user, deleteAtOnce)
	if err != nil {
		return false, err
	}
	for _, poll := range polls {
		if _, err := s.lockHead(ctx, c, poll); err != nil {
			return false, err
		}
		if err := fn(poll); err != nil {
			return false, err
		}
	}
	return len(polls) == deleteAtOnce, nil
}

func (s *Service) deletePollsOf(ctx context.Context, c *change, user int64) (left bool, err error) {
	return s.eachPoll(ctx, c, user, "SELECT id FROM polls WHERE creator_id = $1 AND state <> 2 ORDER BY id LIMIT $2", func(poll int64) error {
		return c.deletePoll(ctx, poll)
	})
}

// takeBackVotesOf also takes votes on deleted polls, whose counters go on to agree.
func (s *Service) takeBackVotesOf(ctx context.Context, c *change, user int64) (left bool, err error) {
	return s.eachPoll(ctx, c, user, "SELECT poll_id FROM votes WHERE user_id = $1 ORDER BY poll_id LIMIT $2", func(poll int64) error {
		var choice int
		err := c.QueryRow(ctx, "DELETE FROM votes WHERE poll_id = $1 AND voter = $2 RETURNING choice", poll, credential.AccountVoter(user)).Scan(&choice)
		if errors.Is(err, sql.ErrNoRows) { // taken back before the lock
			return nil
		}
		if err != nil {
			return err
		}
		var gone tally
		gone.add(choice, 1)
		if _, err := c.Exec(ctx, "UPDATE polls SET first_votes = first_votes - $1, second_votes = second_votes - $2 WHERE id = $3",
			gone.first, gone.second, poll); err != nil {
			return err
		}
		return c.touch(ctx, poll)
	})
}

func (s *Service) deleteCommentsOf(ctx context.Context, c *change, user int64) (left bool, err error) {
	return s.eachPoll(ctx, c, user, "SELECT DISTINCT poll_id FROM comments WHERE user_id = $1 ORDER BY poll_id LIMIT $2", func(poll int64) error {
		result, err := c.Exec(ctx, "DELETE FROM comments WHERE poll_id = $1 AND user_id = $2", poll, user)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		if err != nil {
			return err
		}
		return c.countComments(ctx, poll, -n)
	})
}

func (s *Service) deleteFavoritesOf(ctx context.Context, c *change, user int64) (left bool, err error) {
	return s.eachPoll(ctx, c, user, "SELECT poll_id FROM favorites WHERE user_id = $1 ORDER BY poll_id LIMIT $2", func(poll int64) error {
		return c.favorite(ctx, user, poll, false)
	})
}

// bury ends an account. The row stays, since deleted polls still name it for a
// while, without anything that tells who it was: a key with a # is nobody's name.
func bury(ctx context.Context, c *change, user int64) error {
	for _, query := range []string{
		"DELETE FROM follows WHERE follower_id = $1 OR followed_id = $1",
		"DELETE FROM members WHERE user_id = $1",
		"DELETE FROM tokens WHERE user_id = $1",
	} {
		if _, err := c.Exec(ctx, query, user); err != nil {
			return fmt.Errorf("bury user %d: %w", user, err)
		}
	}
	if _, err := c.Exec(ctx, "DELETE FROM answers WHERE caller = $1", credential.AccountVoter(user)); err != nil {
		return fmt.Errorf("bury user %d: %w", user, err)
	}
	if _, err := c.Exec(ctx, `UPDATE users SET username = '', username_key = $1, email = '', email_key = $1, password = '', name = '',
		location = '', website = '', about = '', social_username = '', operator = FALSE, confirmed = FALSE, suspended = TRUE
		WHERE id = $2`, fmt.Sprintf("#%d", user), user); err != nil {
		return fmt.Errorf("bury user %d: %w", user, err)
	}
	c.mark(markPeople)
	return nil
}

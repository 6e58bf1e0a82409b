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
func (s *Service) DeleteUser(ctx context.Context, username string, progress Progress) error {
	a, err := accountNamed(ctx, s.db, username)
	if err != nil {
		return err
	}
	if err := s.change(ctx, func(c *change) error { return s.suspend(ctx, c, a.id, true) }); err != nil {
		return err
	}
	for _, part := range remains {
		if err := s.deletePart(ctx, a.id, part, progress); err != nil {
			return fmt.Errorf("delete the %s of user %d: %w", part.name, a.id, err)
		}
	}
	return s.change(ctx, func(c *change) error { return bury(ctx, c, a.id) })
}

// remain is what a user leaves in polls, of one kind.
type remain struct {
	name   string
	poll   string // the column that has the poll
	rows   string // of user $1
	remove func(ctx context.Context, c *change, user, poll int64) error
}

var remains = []remain{
	{"polls", "id", "polls WHERE creator_id = $1 AND state <> 2", func(ctx context.Context, c *change, _, poll int64) error { return c.deletePoll(ctx, poll) }},
	{"votes", "poll_id", "votes WHERE user_id = $1", takeBackVote}, // also on deleted polls, whose counters go on to agree
	{"comments", "poll_id", "comments WHERE user_id = $1", deleteComments},
	{"favorites", "poll_id", "favorites WHERE user_id = $1", func(ctx context.Context, c *change, user, poll int64) error {
		return c.favorite(ctx, user, poll, false)
	}},
}

// deletePart removes what remains of one kind, some polls at a time, locked in the
// order of their numbers as voters lock them.
func (s *Service) deletePart(ctx context.Context, user int64, part remain, progress Progress) error {
	var total int
	if err := s.db.QueryRow(ctx, "SELECT count(DISTINCT "+part.poll+") FROM "+part.rows, user).Scan(&total); err != nil {
		return err
	}
	query := "SELECT DISTINCT " + part.poll + " FROM " + part.rows + " ORDER BY " + part.poll + " LIMIT $2"
	for done := 0; ; {
		progress.tell(part.name, done, total)
		n := 0
		err := s.change(ctx, func(c *change) error {
			polls, err := readIDs(ctx, c, query, user, deleteAtOnce)
			if err != nil {
				return err
			}
			n = len(polls)
			for _, poll := range polls {
				if _, err := s.lockHead(ctx, c, poll); err != nil {
					return err
				}
				if err := part.remove(ctx, c, user, poll); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		done += n
		if n < deleteAtOnce {
			progress.end(part.name, done)
			return nil
		}
	}
}

func takeBackVote(ctx context.Context, c *change, user, poll int64) error {
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
}

func deleteComments(ctx context.Context, c *change, user, poll int64) error {
	result, err := c.Exec(ctx, "DELETE FROM comments WHERE poll_id = $1 AND user_id = $2", poll, user)
	if err != nil {
		return err
	}
	n, err := result.RowsAffected()
	if err != nil {
		return err
	}
	return c.countComments(ctx, poll, -n)
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

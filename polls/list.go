package polls

import (
	"context"
	"fmt"

	"stoa/internal/db"
	"stoa/polls/internal/credential"
)

// createdList asks for polls that somebody made: those that are public, and for
// the creator the private ones too. Newest first.
type createdList struct {
	username string
	viewer   int64            // the account that asks, 0 for none
	before   int64            // only polls below this number
	unvoted  credential.Voter // only polls without a vote of this voter; empty: all
	offset   int64
	limit    int64
}

// createdPolls is a part of such a list, and how many there are in all.
func (s *Service) createdPolls(ctx context.Context, l createdList) (polls []*pollCopy, total int64, err error) {
	for range pageTries {
		ids, total, err := s.createdIDs(ctx, l)
		if err != nil {
			return nil, 0, err
		}
		if polls, err = s.readyCopies(ctx, ids); err != nil || len(polls) == len(ids) {
			return polls, total, err
		}
		// One was deleted between the two looks. A short part would be taken for the last.
	}
	return nil, 0, errNoAgreement
}

// readyCopies leaves out what is not there any more.
func (s *Service) readyCopies(ctx context.Context, ids []int64) (polls []*pollCopy, err error) {
	now, err := s.copies.ask(ctx, ids...)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		p, err := s.copies.at(ctx, id, now)
		if err != nil {
			return nil, err
		}
		if p != nil && p.state == pollReady {
			polls = append(polls, p)
		}
	}
	return polls, nil
}

// createdIDs is the numbers of a part of the list, and how many polls it has in
// all: without regard to before and unvoted, from the same moment.
func (s *Service) createdIDs(ctx context.Context, l createdList) (ids []int64, total int64, err error) {
	ids = []int64{}
	err = s.db.InSnapshot(ctx, func(q *db.Tx) error {
		creator, err := accountNamed(ctx, q, l.username)
		if err != nil || creator.suspended { // what a suspended account made is in no list
			return err
		}
		const members = "FROM polls WHERE creator_id = $1 AND state = 1 AND (NOT private OR creator_id = $2)"
		if err := q.QueryRow(ctx, "SELECT count(*) "+members, creator.id, l.viewer).Scan(&total); err != nil {
			return fmt.Errorf("count the polls of %d: %w", creator.id, err)
		}
		ids, err = readIDs(ctx, q, "SELECT id "+members+` AND id < $3
			AND ($4 = '' OR NOT EXISTS (SELECT 1 FROM votes WHERE poll_id = polls.id AND voter = $4))
			ORDER BY id DESC LIMIT $5 OFFSET $6`, creator.id, l.viewer, l.before, string(l.unvoted), l.limit, l.offset)
		if err != nil {
			return fmt.Errorf("list the polls of %d: %w", creator.id, err)
		}
		return nil
	})
	return ids, total, err
}

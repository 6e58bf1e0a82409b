package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

// Remark is a comment as operators see it.
type Remark struct {
	ID      int64
	Body    string
	Author  Author
	Created time.Time
}

// Remarks is the comments on a poll in any state with numbers below one, 0 for all,
// newest first.
func (s *Service) Remarks(ctx context.Context, poll, before int64, limit int) ([]Remark, error) {
	if before <= 0 {
		before = wire.MaxNumber
	}
	comments, err := readComments(ctx, s.db, poll, before, limit)
	if err != nil {
		return nil, err
	}
	all := make([]Remark, len(comments))
	for i, c := range comments {
		all[i] = Remark{c.id, c.body, Author{c.by.id, c.by.username, c.by.name}, c.created}
	}
	return all, nil
}

// Place is where a publisher shows a poll: an embed of it, or a set that has it.
type Place struct {
	Publisher Publisher
	Kind      string // embed or set
	Name      string
	Views     int64 // of an embed
}

// Places is where a poll is shown, at most a hundred of each kind.
func (s *Service) Places(ctx context.Context, poll int64) ([]Place, error) {
	var all []Place
	err := s.db.InSnapshot(ctx, func(q *db.Tx) error {
		for _, query := range []string{
			`SELECT publishers.id, publishers.name, publishers.display_name, 'embed', embeds.name, views
				FROM embeds JOIN publishers ON publishers.id = publisher_id WHERE kind = 'poll' AND target_id = $1 ORDER BY embeds.id DESC LIMIT 100`,
			`SELECT publishers.id, publishers.name, publishers.display_name, 'set', poll_sets.display_name, 0
				FROM poll_set_polls JOIN poll_sets ON poll_sets.id = poll_set_id JOIN publishers ON publishers.id = publisher_id
				WHERE poll_id = $1 ORDER BY poll_sets.id DESC LIMIT 100`,
		} {
			found, err := readPlaces(ctx, q, query, poll)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		return nil
	})
	return all, err
}

func readPlaces(ctx context.Context, q querier, query string, poll int64) (all []Place, err error) {
	rows, err := q.Query(ctx, query, poll)
	if err != nil {
		return nil, fmt.Errorf("read the places of poll %d: %w", poll, err)
	}
	defer rows.Close()
	for rows.Next() {
		var p Place
		if err := rows.Scan(&p.Publisher.ID, &p.Publisher.Name, &p.Publisher.DisplayName, &p.Kind, &p.Name, &p.Views); err != nil {
			return nil, fmt.Errorf("read the places of poll %d: %w", poll, err)
		}
		all = append(all, p)
	}
	return all, rows.Err()
}

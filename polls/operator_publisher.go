package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

// PublisherRecord is a publisher as operators see it in a list.
type PublisherRecord struct {
	Publisher
	Created                        time.Time
	Members, Sets, Embeds, Viewers int64
}

// Publishers is those with numbers below one, 0 for all, newest first.
func (s *Service) Publishers(ctx context.Context, before int64, limit int) ([]PublisherRecord, error) {
	if before <= 0 {
		before = wire.MaxNumber
	}
	rows, err := s.db.Query(ctx, `SELECT id, name, display_name, viewers, created_at,
		(SELECT count(*) FROM members WHERE publisher_id = publishers.id),
		(SELECT count(*) FROM poll_sets WHERE publisher_id = publishers.id),
		(SELECT count(*) FROM embeds WHERE publisher_id = publishers.id)
		FROM publishers WHERE id < $1 ORDER BY id DESC LIMIT $2`, before, limit)
	if err != nil {
		return nil, fmt.Errorf("read publishers: %w", err)
	}
	defer rows.Close()
	var all []PublisherRecord
	for rows.Next() {
		var p PublisherRecord
		var created int64
		if err := rows.Scan(&p.ID, &p.Name, &p.DisplayName, &p.Viewers, &created, &p.Members, &p.Sets, &p.Embeds); err != nil {
			return nil, fmt.Errorf("read publishers: %w", err)
		}
		p.Created = db.Time(created)
		all = append(all, p)
	}
	return all, rows.Err()
}

// RemoveMember is for operators: it takes an account out of a team. Its owner goes only
// when nobody else is left; AddMember finds a new one then.
func (s *Service) RemoveMember(ctx context.Context, publisher, username string) error {
	return s.change(ctx, func(c *change) error {
		p, err := s.lockPublisher(ctx, c, publisher)
		if err != nil {
			return err
		}
		team, err := readTeam(ctx, c, p.ID)
		if err != nil {
			return err
		}
		a, err := accountNamed(ctx, c, username)
		if err != nil {
			return err
		}
		for _, m := range team {
			switch {
			case m.UserID != a.id:
				continue
			case m.Owner && len(team) > 1:
				return wire.Errorf(wire.Forbidden, "username", "%s owns %s: take the others out of the team first", m.Username, p.Name)
			}
			return deleteMember(ctx, c.Tx, a.id)
		}
		return wire.Errorf(wire.UserNotFound, "username", "the team of %s has no such member", p.Name)
	})
}

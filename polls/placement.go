package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"stoa/internal/db"
	"stoa/polls/embed"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// Placement is a named slot on a publisher's site. What it shows can be changed
// without touching that site.
type Placement struct {
	Name   string
	Target Target
	Snippets
}

// setPlacement says what a slot shows from now on.
func (s *Service) setPlacement(ctx context.Context, user int64, publisher, name string, want wantedTarget) (Placement, error) {
	name, err := needText("placement", name, text.Placement)
	if err != nil {
		return Placement{}, err
	}
	slot := Placement{Name: name}
	err = s.change(ctx, func(c *change) error {
		p, err := readPublisher(ctx, c, publisher)
		if err != nil {
			return err
		}
		if slot.Target, err = want.find(ctx, c, user); err != nil {
			return err
		}
		if _, err := teamOf(ctx, c, publisher, user); err != nil {
			return err
		}
		slot.Snippets = s.placementSnippets(p, name)
		return storePlacement(ctx, c.Tx, p.ID, slot)
	})
	return slot, err
}

// Placements are the slots of a publisher, by name.
func (s *Service) Placements(ctx context.Context, publisher string) ([]Placement, error) {
	p, err := readPublisher(ctx, s.db, publisher)
	if err != nil {
		return nil, err
	}
	slots, err := readPlacements(ctx, s.db, p.ID)
	for i, slot := range slots {
		slots[i].Snippets = s.placementSnippets(p, slot.Name)
	}
	return slots, err
}

func (s *Service) placementSnippets(p Publisher, name string) Snippets {
	return s.snippets(p, embed.Target{Kind: embed.KindPlacement, Value: name}, "")
}

func storePlacement(ctx context.Context, tx *db.Tx, publisher int64, slot Placement) error {
	_, err := tx.Exec(ctx, `INSERT INTO placements (publisher_id, name, kind, target_id) VALUES ($1, $2, $3, $4)
		ON CONFLICT (publisher_id, name) DO UPDATE SET kind = excluded.kind, target_id = excluded.target_id`,
		publisher, slot.Name, string(slot.Target.Kind), slot.Target.ID)
	if err != nil {
		return fmt.Errorf("store a placement: %w", err)
	}
	return nil
}

const selectPlacements = "SELECT t.name, " + targetColumns + " FROM placements t" + joinTargets + " WHERE t.publisher_id = $1"

// readPlacement finds a slot. The thing that it shows may be gone.
func readPlacement(ctx context.Context, q querier, publisher int64, name string) (Placement, error) {
	var slot Placement
	err := q.QueryRow(ctx, selectPlacements+" AND t.name = $2", publisher, text.Fold(name)).
		Scan(append([]any{&slot.Name}, slot.Target.targets()...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return Placement{}, wire.Errorf(wire.Unknown, "placement", "the publisher has no such placement")
	}
	if err != nil {
		return Placement{}, fmt.Errorf("read a placement: %w", err)
	}
	return slot, nil
}

func readPlacements(ctx context.Context, q querier, publisher int64) ([]Placement, error) {
	rows, err := q.Query(ctx, selectPlacements+" ORDER BY t.name", publisher)
	if err != nil {
		return nil, fmt.Errorf("read placements: %w", err)
	}
	defer rows.Close()
	var slots []Placement
	for rows.Next() {
		var slot Placement
		if err := rows.Scan(append([]any{&slot.Name}, slot.Target.targets()...)...); err != nil {
			return nil, fmt.Errorf("read placements: %w", err)
		}
		slots = append(slots, slot)
	}
	return slots, rows.Err()
}

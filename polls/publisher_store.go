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

// readPublisher finds a publisher by its name, in any letter case.
func readPublisher(ctx context.Context, q querier, name string) (Publisher, error) {
	return findPublisher(ctx, q, name, "")
}

// lockPublisher is readPublisher for who changes the team: others wait for the commit.
func (s *Service) lockPublisher(ctx context.Context, c *change, name string) (Publisher, error) {
	return findPublisher(ctx, c, name, s.db.ForUpdate())
}

func findPublisher(ctx context.Context, q querier, name, lock string) (Publisher, error) {
	var p Publisher
	err := q.QueryRow(ctx, "SELECT id, name, display_name FROM publishers WHERE name = $1"+lock, text.Fold(name)).
		Scan(&p.ID, &p.Name, &p.DisplayName)
	if errors.Is(err, sql.ErrNoRows) {
		return Publisher{}, wire.Errorf(wire.PublisherNotFound, "publisher_name", "there is no such publisher")
	}
	if err != nil {
		return Publisher{}, fmt.Errorf("read a publisher: %w", err)
	}
	return p, nil
}

func insertPublisher(ctx context.Context, d *db.DB, tx *db.Tx, p *Publisher) error {
	ids, err := d.NextIDs(ctx, tx, "publisher_ids", 1)
	if err != nil {
		return fmt.Errorf("number a publisher: %w", err)
	}
	p.ID = ids[0]
	n, err := affected(tx.Exec(ctx, `INSERT INTO publishers (id, name, display_name, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (name) DO NOTHING`, p.ID, p.Name, p.DisplayName, db.Micros(time.Now())))
	if err != nil {
		return fmt.Errorf("store a publisher: %w", err)
	}
	if n == 0 {
		return wire.Errorf(wire.NameTaken, "name", "another publisher has this name; choose another")
	}
	return nil
}

func insertMember(ctx context.Context, tx *db.Tx, p Publisher, user int64, owner bool) error {
	n, err := affected(tx.Exec(ctx, `INSERT INTO members (user_id, publisher_id, owner, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id) DO NOTHING`, user, p.ID, owner, db.Micros(time.Now())))
	if err != nil {
		return fmt.Errorf("store a member: %w", err)
	}
	if n == 0 {
		return wire.Errorf(wire.AlreadyInTeam, "", "this account is in a team already; it must leave that one first")
	}
	return nil
}

func deleteMember(ctx context.Context, tx *db.Tx, user int64) error {
	if _, err := tx.Exec(ctx, "DELETE FROM members WHERE user_id = $1", user); err != nil {
		return fmt.Errorf("remove a member: %w", err)
	}
	return nil
}

// readRole is what a user is to a publisher.
func readRole(ctx context.Context, q querier, p Publisher, user int64) (owner, inTeam bool, err error) {
	err = q.QueryRow(ctx, "SELECT owner FROM members WHERE user_id = $1 AND publisher_id = $2", user, p.ID).Scan(&owner)
	if errors.Is(err, sql.ErrNoRows) {
		return false, false, nil
	}
	if err != nil {
		return false, false, fmt.Errorf("read a member: %w", err)
	}
	return owner, true, nil
}

func hasOwner(ctx context.Context, q querier, p Publisher) (owned bool, err error) {
	err = q.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM members WHERE publisher_id = $1 AND owner)", p.ID).Scan(&owned)
	if err != nil {
		return false, fmt.Errorf("read the owner of a publisher: %w", err)
	}
	return owned, nil
}

func readTeam(ctx context.Context, q querier, publisher int64) ([]Member, error) {
	rows, err := q.Query(ctx, `SELECT users.id, users.username, users.name, members.owner FROM members
		JOIN users ON users.id = user_id WHERE publisher_id = $1 ORDER BY members.owner DESC, users.username_key`, publisher)
	if err != nil {
		return nil, fmt.Errorf("read a team: %w", err)
	}
	defer rows.Close()
	var team []Member
	for rows.Next() {
		var m Member
		if err := rows.Scan(&m.UserID, &m.Username, &m.Name, &m.Owner); err != nil {
			return nil, fmt.Errorf("read a team: %w", err)
		}
		team = append(team, m)
	}
	return team, rows.Err()
}

// affected is how many rows a statement changed.
func affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

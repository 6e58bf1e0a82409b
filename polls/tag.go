package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
)

// tagPoll gives a poll its tags. A word becomes a tag, with a number, by its first
// use.
func (s *Service) tagPoll(ctx context.Context, c *change, poll int64, names []string) error {
	names = slices.Sorted(slices.Values(names)) // so that two who make the same tags never wait for each other
	for _, name := range names {
		tag, err := s.makeTag(ctx, c, name)
		if err != nil {
			return fmt.Errorf("make tag %s: %w", name, err)
		}
		if _, err := c.Exec(ctx, "INSERT INTO poll_tags (tag_id, poll_id) VALUES ($1, $2)", tag, poll); err != nil {
			return fmt.Errorf("tag poll %d: %w", poll, err)
		}
	}
	return nil
}

// makeTag is the number of a tag, which is made when it is new.
func (s *Service) makeTag(ctx context.Context, c *change, name string) (int64, error) {
	id, err := readTag(ctx, c, name)
	if err != nil || id != 0 {
		return id, err
	}
	if id, err = s.nextID(ctx, c, "tag_ids"); err != nil {
		return 0, err
	}
	if _, err := c.Exec(ctx, "INSERT INTO tags (id, name) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", id, name); err != nil {
		return 0, err
	}
	return readTag(ctx, c, name) // somebody else may have been first
}

// readTag is the number of a tag, 0 when no poll ever had it.
func readTag(ctx context.Context, q querier, name string) (id int64, err error) {
	err = q.QueryRow(ctx, "SELECT id FROM tags WHERE name = $1", name).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return id, err
}

// readTagsOf is the tags of a poll, by name.
func readTagsOf(ctx context.Context, q querier, poll int64) ([]string, error) {
	rows, err := q.Query(ctx, "SELECT name FROM poll_tags JOIN tags ON tags.id = tag_id WHERE poll_id = $1 ORDER BY name", poll)
	if err != nil {
		return nil, fmt.Errorf("read the tags of poll %d: %w", poll, err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("read the tags of poll %d: %w", poll, err)
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

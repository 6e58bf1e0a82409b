package polls

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

var errNoPollSet = wire.Errorf(wire.Unknown, "poll_set_id", "the publisher has no such poll set")

var countPublic = newSized(func(n int) string {
	return "SELECT id FROM polls WHERE id IN (" + list(1, n) + ") AND state = 1 AND NOT private"
})

// mustBePublic refuses a list with anything but polls that everybody sees.
func mustBePublic(ctx context.Context, q querier, polls []int64) error {
	public := map[int64]bool{}
	for chunk := range chunks(polls) {
		ids, err := readIDs(ctx, q, countPublic.of(len(chunk)), anys(chunk)...)
		if err != nil {
			return err
		}
		for _, id := range ids {
			public[id] = true
		}
	}
	for _, id := range polls {
		if !public[id] {
			return wire.Errorf(wire.InvalidParameter, "poll_ids", "there is no public poll %d", id)
		}
	}
	return nil
}

func insertPollSet(ctx context.Context, d *db.DB, tx *db.Tx, set *PollSet) error {
	ids, err := d.NextIDs(ctx, tx, "poll_set_ids", 1)
	if err != nil {
		return fmt.Errorf("number a poll set: %w", err)
	}
	at := db.Micros(time.Now())
	set.ID, set.Created, set.Updated = ids[0], db.Time(at), db.Time(at)
	n, err := affected(tx.Exec(ctx, `INSERT INTO poll_sets (id, publisher_id, name, display_name, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $5) ON CONFLICT (publisher_id, name) DO NOTHING`,
		set.ID, set.Publisher, set.Name, set.DisplayName, at))
	if err != nil {
		return fmt.Errorf("store a poll set: %w", err)
	}
	if n == 0 {
		return errSetNameTaken
	}
	return fillPollSet(ctx, tx, set.ID, set.Polls)
}

var errSetNameTaken = wire.Errorf(wire.NameTaken, "name", "another poll set of the publisher has this name; choose another")

func fillPollSet(ctx context.Context, tx *db.Tx, set int64, polls []int64) error {
	for i, poll := range polls {
		if _, err := tx.Exec(ctx, "INSERT INTO poll_set_polls (poll_set_id, position, poll_id) VALUES ($1, $2, $3)", set, i+1, poll); err != nil {
			return fmt.Errorf("fill poll set %d: %w", set, err)
		}
	}
	return nil
}

// lockPollSet keeps others from changing the set. It must be the publisher's.
func lockPollSet(ctx context.Context, tx *db.Tx, publisher, set int64) error {
	n, err := affected(tx.Exec(ctx, "UPDATE poll_sets SET id = id WHERE id = $1 AND publisher_id = $2", set, publisher))
	if err != nil {
		return fmt.Errorf("lock poll set %d: %w", set, err)
	}
	if n == 0 {
		return errNoPollSet
	}
	return nil
}

func updatePollSet(ctx context.Context, tx *db.Tx, id int64, wish PollSetChange) error {
	var name, displayName string
	err := tx.QueryRow(ctx, "SELECT name, display_name FROM poll_sets WHERE id = $1", id).Scan(&name, &displayName)
	if err != nil {
		return fmt.Errorf("read poll set %d: %w", id, err)
	}
	polls, err := readIDs(ctx, tx, "SELECT poll_id FROM poll_set_polls WHERE poll_set_id = $1 ORDER BY position", id)
	if err != nil {
		return err
	}
	refill := wish.Polls != nil && !slices.Equal(wish.Polls, polls)
	newName, newDisplayName := cmp.Or(wish.Name, name), cmp.Or(wish.DisplayName, displayName)
	if !refill && newName == name && newDisplayName == displayName {
		return nil
	}
	if refill {
		if _, err := tx.Exec(ctx, "DELETE FROM poll_set_polls WHERE poll_set_id = $1", id); err != nil {
			return fmt.Errorf("empty poll set %d: %w", id, err)
		}
		if err := fillPollSet(ctx, tx, id, wish.Polls); err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, "UPDATE poll_sets SET name = $1, display_name = $2, updated_at = $3 WHERE id = $4",
		newName, newDisplayName, db.Micros(time.Now()), id)
	if db.IsUnique(err) {
		return errSetNameTaken
	}
	if err != nil {
		return fmt.Errorf("change poll set %d: %w", id, err)
	}
	return nil
}

func deletePollSet(ctx context.Context, tx *db.Tx, id int64) error {
	for _, text := range []string{"DELETE FROM poll_set_polls WHERE poll_set_id = $1", "DELETE FROM poll_sets WHERE id = $1"} {
		if _, err := tx.Exec(ctx, text, id); err != nil {
			return fmt.Errorf("delete poll set %d: %w", id, err)
		}
	}
	return nil
}

const pollSetColumns = "SELECT id, publisher_id, name, display_name, created_at, updated_at FROM poll_sets"

// readPollSets reads the sets of a publisher, newest first.
func readPollSets(ctx context.Context, q querier, publisher int64) ([]PollSet, error) {
	rows, err := q.Query(ctx, pollSetColumns+" WHERE publisher_id = $1 ORDER BY id DESC", publisher)
	if err != nil {
		return nil, fmt.Errorf("read poll sets: %w", err)
	}
	defer rows.Close()
	var sets []PollSet
	for rows.Next() {
		set, err := scanPollSet(rows)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read poll sets: %w", err)
	}
	for i := range sets {
		if sets[i].Polls, err = readSetPolls(ctx, q, sets[i].ID); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

func readPollSet(ctx context.Context, q querier, publisher, id int64) (PollSet, error) {
	set, err := scanPollSet(q.QueryRow(ctx, pollSetColumns+" WHERE publisher_id = $1 AND id = $2", publisher, id))
	if err == nil {
		set.Polls, err = readSetPolls(ctx, q, id)
	}
	return set, err
}

func scanPollSet(row interface{ Scan(...any) error }) (PollSet, error) {
	var set PollSet
	var created, updated int64
	if err := row.Scan(&set.ID, &set.Publisher, &set.Name, &set.DisplayName, &created, &updated); err != nil {
		return PollSet{}, fmt.Errorf("read a poll set: %w", err)
	}
	set.Created, set.Updated = db.Time(created), db.Time(updated)
	return set, nil
}

// readSetPolls reads the polls of a set that everybody sees, in its order.
func readSetPolls(ctx context.Context, q querier, set int64) ([]int64, error) {
	return readIDs(ctx, q, `SELECT polls.id FROM poll_set_polls JOIN polls ON polls.id = poll_id
		WHERE poll_set_id = $1 AND state = 1 AND NOT private ORDER BY position`, set)
}

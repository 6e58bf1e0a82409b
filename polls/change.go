package polls

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"stoa/internal/db"
)

// Marks are raised by changes that many remembered answers depend on.
const (
	markPeople = "people" // a name, a suspension
	markFeed   = "feed"   // a poll entered or left the recent list
)

// change is a write transaction that also says which remembered answers it makes
// stale. Every write but the counting of votes goes through one.
type change struct {
	*db.Tx
	raised []raised
	marks  []string
}

// raised is a poll's version, and the state it has with it.
type raised struct {
	poll, version int64
	tally         tally
	gone          bool // deleted or hidden
}

// change runs fn in one transaction. When it returns, every later read shows what
// was changed.
func (s *Service) change(ctx context.Context, fn func(*change) error) error {
	var c *change
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		c = &change{Tx: tx}
		if err := fn(c); err != nil {
			return err
		}
		return c.raiseMarks(ctx)
	})
	if err != nil {
		s.unsure(err)
		return err
	}
	for _, mark := range c.marks {
		s.copies.raiseMark(mark)
	}
	s.raised(c.raised)
	return nil
}

// unsure is told of writes that failed. After one that may hold all the same, no
// copy can be trusted.
func (s *Service) unsure(err error) {
	if errors.Is(err, db.ErrUnknownOutcome) {
		s.copies.forget()
	}
}

// raised tells those who remember polls, or watch them, of their new versions.
func (s *Service) raised(polls []raised) {
	for _, r := range polls {
		s.copies.raise(r)
	}
	s.watchers.tell(polls)
}

// touch raises a poll's version. It also locks the poll's row until the commit.
func (c *change) touch(ctx context.Context, poll int64) error {
	var p pollHead
	err := c.QueryRow(ctx, "UPDATE polls SET version = version + 1 WHERE id = $1 RETURNING "+pollHeadColumns, poll).Scan(p.targets()...)
	if err != nil {
		return fmt.Errorf("raise poll %d: %w", poll, err)
	}
	c.raised = append(c.raised, p.raised())
	return nil
}

// mark raises a mark at the end of the transaction: everybody who raises the same
// one waits for the commit.
func (c *change) mark(name string) {
	if !slices.Contains(c.marks, name) {
		c.marks = append(c.marks, name)
	}
}

func (c *change) raiseMarks(ctx context.Context) error {
	for _, name := range c.marks {
		if err := raiseMark(ctx, c.Tx, name); err != nil {
			return err
		}
	}
	return nil
}

func raiseMark(ctx context.Context, tx *db.Tx, name string) error {
	if _, err := tx.Exec(ctx, "UPDATE marks SET value = value + 1 WHERE name = $1", name); err != nil {
		return fmt.Errorf("raise mark %s: %w", name, err)
	}
	return nil
}

package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"stoa/internal/db"
)

// maxHeads bounds the memory of pollHeads, to some megabytes.
const maxHeads = 20_000

// pollHeads remembers how polls stood after the last votes on them were counted, so
// that they need not be read for the next ones. Nobody tells it what else changes,
// such as a deletion: but each change raises the version, and counting fails with
// errStale where the version is another than what is remembered here.
//
// On PostgreSQL, where a poll must be locked before its votes are, nothing is
// remembered.
type pollHeads struct{ byID map[int64]countedPoll }

var errStale = errors.New("a poll is not as it was remembered")

func newPollHeads(d *db.DB) *pollHeads {
	if d.Postgres() {
		return &pollHeads{}
	}
	return &pollHeads{byID: map[int64]countedPoll{}}
}

// poll is nil for one that is not remembered.
func (h *pollHeads) poll(id int64) *countedPoll {
	p, ok := h.byID[id]
	if !ok {
		return nil
	}
	return &p
}

// remember is told of what was committed.
func (h *pollHeads) remember(polls map[int64]*countedPoll) {
	if h.byID == nil {
		return
	}
	if len(h.byID)+len(polls) > maxHeads {
		h.forget()
	}
	for id, p := range polls {
		h.byID[id] = countedPoll{pollHead: p.pollHead, oldPeak: p.peak, peak: p.peak, remembered: true}
	}
}

func (h *pollHeads) forget() { clear(h.byID) }

// verify looks whether the polls that were remembered, and that no counter will be
// written for, are as they were.
func (c *count) verify(ctx context.Context, tx *db.Tx) error {
	for id, p := range c.polls {
		if !p.remembered || p.changed {
			continue
		}
		var version int64
		err := tx.QueryRow(ctx, "SELECT version FROM polls WHERE id = $1", id).Scan(&version)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("verify poll %d: %w", id, err)
		}
		if version != p.version {
			return errStale
		}
	}
	return nil
}

package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
)

// How long things stay.
const (
	draftLife = 24 * time.Hour      // a poll without an image
	votesLife = 30 * 24 * time.Hour // the votes of a deleted poll, for operators
)

// A process that dies in the middle of a round is followed by another one within
// houseLease and houseEvery.
const (
	houseEvery = 10 * time.Second
	houseLease = 30 * time.Second
	houseLimit = 20 * time.Second // for a round, and less than the lease
)

// house is where a process learns that there is work for its housekeeper.
type house struct{ bell chan struct{} }

func newHouse() house { return house{make(chan struct{}, 1)} }

func (h house) wake() {
	select {
	case h.bell <- struct{}{}:
	default: // it rings already
	}
}

// chore is work that time brings.
type chore struct {
	name string
	life time.Duration // after which it is due
	due  string        // finds a row when there is some of it

	// do does a bounded part, and tells whether there may be more.
	do func(ctx context.Context, before int64) (more bool, err error)
}

func (s *Service) chores() []chore {
	return []chore{
		{"delete abandoned polls", draftLife, "SELECT id FROM polls WHERE state = 0 AND created_at < $1 LIMIT 1", s.deleteAbandoned},
		{"remove the files of deleted polls", 0, "SELECT id FROM polls WHERE state = 2 AND cleared = 0 AND deleted_at < $1 LIMIT 1", s.removeFiles},
		{"erase the votes of deleted polls", votesLife, "SELECT id FROM polls WHERE state = 2 AND cleared = 1 AND deleted_at < $1 LIMIT 1", s.eraseVotes},
		{"forget old answers", answerLife, "SELECT status FROM answers WHERE created_at < $1 LIMIT 1", s.forgetAnswers},
		{"forget unused tokens", tokenIdle, "SELECT user_id FROM tokens WHERE used_at < $1 LIMIT 1", s.forgetTokens},
	}
}

// keepHouse does what time asks for, once over all processes.
func (s *Service) keepHouse(ctx context.Context) error {
	for tick := time.NewTicker(houseEvery); ; {
		if err := s.houseRound(ctx); err != nil && ctx.Err() == nil {
			s.log.Warn("keep house", "error", err)
		}
		select {
		case <-ctx.Done():
			tick.Stop()
			return nil
		case <-tick.C:
		case <-s.house.bell:
		}
	}
}

// houseRound does the chores that are due. It writes nothing when none is.
func (s *Service) houseRound(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, houseLimit)
	defer cancel()
	now := time.Now()
	due, err := s.dueChores(ctx, now)
	if err != nil || len(due) == 0 {
		return err
	}
	release, err := s.tryLease(ctx, "house", houseLease)
	if release == nil {
		return err
	}
	defer release()
	return s.doChores(ctx, now, due)
}

func (s *Service) dueChores(ctx context.Context, now time.Time) (due []chore, err error) {
	for _, chore := range s.chores() {
		var found int64
		err := s.db.QueryRow(ctx, chore.due, db.Micros(now.Add(-chore.life))).Scan(&found)
		if err == nil {
			due = append(due, chore)
		} else if !errors.Is(err, sql.ErrNoRows) {
			return nil, fmt.Errorf("look for chores: %w", err)
		}
	}
	return due, nil
}

// doChores does each until it is done or half of the time is over: what is left, the
// next round does. One that fails does not keep the others from being done.
func (s *Service) doChores(ctx context.Context, now time.Time, chores []chore) error {
	var failed []error
	for _, chore := range chores {
		for more := true; more && time.Since(now) < houseLimit/2; {
			var err error
			if more, err = chore.do(ctx, db.Micros(now.Add(-chore.life))); err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", chore.name, err))
				break
			}
		}
	}
	return errors.Join(failed...)
}

package polls

import (
	"context"
	"slices"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// maxSetPolls is how many polls a set holds at most.
const maxSetPolls = 100

// PollSet is an ordered list of polls that a publisher made.
type PollSet struct {
	ID, Publisher     int64
	Name, DisplayName string
	Polls             []int64 // those that everybody sees
	Created, Updated  time.Time
}

// PollSetChange is what a set shall be; what is empty or nil stays as it is.
type PollSetChange struct {
	Name, DisplayName string
	Polls             []int64
}

// PollSets are the sets of a publisher, newest first.
func (s *Service) PollSets(ctx context.Context, publisher string) ([]PollSet, error) {
	var sets []PollSet
	err := s.db.InSnapshot(ctx, func(q *db.Tx) error {
		p, err := readPublisher(ctx, q, publisher)
		if err != nil {
			return err
		}
		sets, err = readPollSets(ctx, q, p.ID)
		return err
	})
	return sets, err
}

// createPollSet makes a set. All of the change must be given.
func (s *Service) createPollSet(ctx context.Context, user int64, publisher string, wish PollSetChange) (PollSet, error) {
	if err := wish.check(true); err != nil {
		return PollSet{}, err
	}
	set := PollSet{Name: wish.Name, DisplayName: wish.DisplayName, Polls: wish.Polls}
	err := s.change(ctx, func(c *change) error {
		if err := mustBePublic(ctx, c, wish.Polls); err != nil {
			return err
		}
		p, err := teamOf(ctx, c, publisher, user)
		if err != nil {
			return err
		}
		set.Publisher = p.ID
		return insertPollSet(ctx, s.db, c.Tx, &set)
	})
	return set, err
}

// changePollSet changes what is given. A set that is as it was keeps its moment
// of change.
func (s *Service) changePollSet(ctx context.Context, user int64, publisher string, id int64, wish PollSetChange) (PollSet, error) {
	if err := wish.check(false); err != nil {
		return PollSet{}, err
	}
	var set PollSet
	err := s.change(ctx, func(c *change) error {
		if err := mustBePublic(ctx, c, wish.Polls); err != nil {
			return err
		}
		p, err := lockTeamSet(ctx, c, user, publisher, id)
		if err != nil {
			return err
		}
		if err := updatePollSet(ctx, c.Tx, id, wish); err != nil {
			return err
		}
		set, err = readPollSet(ctx, c, p.ID, id)
		return err
	})
	return set, err
}

// removePollSet takes a set away. Its embeds stay with the numbers they have.
func (s *Service) removePollSet(ctx context.Context, user int64, publisher string, id int64) error {
	return s.change(ctx, func(c *change) error {
		if _, err := lockTeamSet(ctx, c, user, publisher, id); err != nil {
			return err
		}
		return deletePollSet(ctx, c.Tx, id)
	})
}

// lockTeamSet keeps others from changing a set of the publisher, whose team the user must
// be in. A set that is not there is told before that.
func lockTeamSet(ctx context.Context, c *change, user int64, publisher string, id int64) (Publisher, error) {
	p, err := readPublisher(ctx, c, publisher)
	if err != nil {
		return p, err
	}
	if err := lockPollSet(ctx, c.Tx, p.ID, id); err != nil {
		return p, err
	}
	_, err = teamOf(ctx, c, publisher, user)
	return p, err
}

// check brings the texts into their normal form and looks at the list itself. With all
// set, every part must be given.
func (w *PollSetChange) check(all bool) (err error) {
	if all || w.Name != "" {
		if w.Name, err = needText("name", w.Name, text.SetName); err != nil {
			return err
		}
	}
	if all || w.DisplayName != "" {
		if w.DisplayName, err = needText("display_name", w.DisplayName, text.DisplayName); err != nil {
			return err
		}
	}
	switch sorted := slices.Sorted(slices.Values(w.Polls)); {
	case w.Polls == nil && all:
		return wire.Missing("poll_ids")
	case w.Polls != nil && (len(w.Polls) < 1 || len(w.Polls) > maxSetPolls):
		return wire.Errorf(wire.InvalidParameter, "poll_ids", "a poll set has 1 to %d polls", maxSetPolls)
	case len(slices.Compact(sorted)) < len(w.Polls):
		return wire.Errorf(wire.InvalidParameter, "poll_ids", "a poll can be in a set only once")
	}
	return nil
}

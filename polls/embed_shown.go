package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// shown is what a page is asked to show, and for whom.
type shown struct {
	publisher   int64 // 0: none
	target      Target
	defaultName string // of the embed
	own         bool   // the publisher's own thing: its embed comes into being by itself
}

// pageTargets are the parameters of the page that name a target.
var pageTargets = []string{"poll_id", "pollset_id", "tag", "placement"}

// shownAt is what the address of a page names. Without a publisher it is a poll,
// shown for the publisher of its creator.
func (s *Service) shownAt(ctx context.Context, publisher string, address *wire.Params) (shown, error) {
	if publisher == "" {
		return s.shownPoll(ctx, address)
	}
	var named []string
	for _, name := range pageTargets {
		if address.Has(name) {
			named = append(named, name)
		}
	}
	if len(named) != 1 {
		return shown{}, wire.Errorf(wire.InvalidParameter, "", "the address of this page must have exactly one of poll_id, pollset_id, tag and placement")
	}
	p, err := readPublisher(ctx, s.db, publisher)
	if err != nil {
		return shown{}, err
	}
	if named[0] == "placement" {
		name, _, _ := address.String("placement")
		return s.shownInPlacement(ctx, p, name)
	}
	want := wantedTarget{}
	switch named[0] {
	case "poll_id":
		want.kind = TargetPoll
		want.id, _ = address.ID("poll_id")
	case "pollset_id":
		want.kind = TargetPollSet
		if want.id, err = s.pollSetAt(ctx, p, address); err != nil {
			return shown{}, err
		}
	case "tag":
		want.kind = TargetTag
		given, _, _ := address.String("tag")
		want.tag, _ = text.Tag(given) // what is no tag, no poll has
	}
	what := shown{publisher: p.ID}
	if what.target, err = want.read(ctx, s.db); err != nil {
		return shown{}, err
	}
	what.defaultName = what.target.defaultName()
	what.own, err = ownsTarget(ctx, s.db, p.ID, what.target)
	return what, err
}

// pollSetAt is the set that an address names by its number or, if it is one of the
// publisher, by its name. It is 0 for none.
func (s *Service) pollSetAt(ctx context.Context, p Publisher, address *wire.Params) (int64, error) {
	if id, ok := address.ID("pollset_id"); ok {
		return id, nil
	}
	name, _, _ := address.String("pollset_id")
	var id int64
	err := s.db.QueryRow(ctx, "SELECT id FROM poll_sets WHERE publisher_id = $1 AND name = $2", p.ID, text.Fold(name)).Scan(&id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("read a poll set: %w", err)
	}
	return id, nil
}

func (s *Service) shownPoll(ctx context.Context, address *wire.Params) (shown, error) {
	id, _ := address.ID("poll_id")
	t, err := wantedTarget{kind: TargetPoll, id: id}.read(ctx, s.db)
	if err != nil {
		return shown{}, err
	}
	what := shown{target: t, defaultName: t.defaultName()}
	err = s.db.QueryRow(ctx, `SELECT publisher_id FROM polls JOIN members ON user_id = creator_id WHERE polls.id = $1`, id).
		Scan(&what.publisher)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return shown{}, fmt.Errorf("read the publisher of poll %d: %w", id, err)
	}
	what.own = what.publisher != 0
	return what, nil
}

func (s *Service) shownInPlacement(ctx context.Context, p Publisher, name string) (shown, error) {
	slot, err := readPlacement(ctx, s.db, p.ID, name)
	if err != nil {
		return shown{}, err
	}
	want := wantedTarget{slot.Target.Kind, slot.Target.ID, slot.Target.Name}
	t, err := want.read(ctx, s.db)
	return shown{p.ID, t, slot.Name, true}, err
}

// ownsTarget tells whether a target is a poll of the team or a set of the publisher.
func ownsTarget(ctx context.Context, q querier, publisher int64, t Target) (bool, error) {
	query := ""
	switch t.Kind {
	case TargetPoll:
		query = "SELECT 1 FROM polls JOIN members ON user_id = creator_id WHERE publisher_id = $1 AND polls.id = $2"
	case TargetPollSet:
		query = "SELECT 1 FROM poll_sets WHERE publisher_id = $1 AND id = $2"
	default:
		return false, nil
	}
	var found int
	err := q.QueryRow(ctx, query, publisher, t.ID).Scan(&found)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("read whose target it is: %w", err)
	}
	return err == nil, nil
}

// embedFor is the embed that a page records for, 0 for none: the one of that
// name, or else the default one. Strangers can open any address, so only what is
// the publisher's own makes an embed.
func (s *Service) embedFor(ctx context.Context, what shown, name string) (int64, error) {
	if what.publisher == 0 {
		return 0, nil
	}
	name, err := text.EmbedName(name)
	if err != nil {
		name = what.defaultName
	}
	for _, candidate := range []string{name, what.defaultName} {
		id, err := readEmbedID(ctx, s.db, what.publisher, candidate, what.target)
		if err != nil || id != 0 {
			return id, err
		}
	}
	if !what.own {
		return 0, nil
	}
	var id int64
	err = s.change(ctx, func(c *change) (err error) {
		id, err = keepEmbed(ctx, s.db, c.Tx, what.publisher, what.defaultName, what.target)
		return err
	})
	return id, err
}

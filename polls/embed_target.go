package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"stoa/polls/embed"
	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// TargetKind is what an embed or a placement shows, as the database has it.
type TargetKind string

const (
	TargetPoll    TargetKind = "poll"
	TargetPollSet TargetKind = "set"
	TargetTag     TargetKind = "tag"
)

// Target is the poll, the poll set or the tag that is shown.
type Target struct {
	Kind  TargetKind
	ID    int64
	Name  string // of a set or a tag, in addresses
	Title string // for people: a caption, a display name, a tag; empty when the thing is gone
}

// wantedTarget is a target as a caller names it.
type wantedTarget struct {
	kind TargetKind
	id   int64
	tag  string
}

var errOneTarget = wire.Errorf(wire.InvalidParameter, "poll_id", "give exactly one of poll_id, poll_set_id and tag")

// wantedTarget reads the one parameter that names a target.
func (c *call) wantedTarget() (want wantedTarget, err error) {
	given := 0
	for name, kind := range map[string]TargetKind{"poll_id": TargetPoll, "poll_set_id": TargetPollSet, "tag": TargetTag} {
		if c.params.Has(name) {
			want.kind = kind
			given++
		}
	}
	switch {
	case given == 0:
		return want, wire.Errorf(wire.MissingParameter, "poll_id", "%s", errOneTarget.Message)
	case given > 1:
		return want, errOneTarget
	}
	switch want.kind {
	case TargetPoll:
		want.id, err = c.params.NeedNumber("poll_id")
	case TargetPollSet:
		want.id, err = c.params.NeedNumber("poll_set_id")
	case TargetTag:
		if want.tag, err = c.params.NeedString("tag"); err == nil {
			want.tag, err = needText("tag", want.tag, text.Tag)
		}
	}
	return want, err
}

// find is the target that a member of a team wants to show. It must be there for
// everybody.
func (want wantedTarget) find(ctx context.Context, q querier, user int64) (Target, error) {
	if want.kind == TargetPoll {
		if err := mustBeEmbeddable(ctx, q, want.id, user); err != nil {
			return Target{}, err
		}
	}
	return want.read(ctx, q)
}

// mustBeEmbeddable says why a poll cannot be embedded, as far as the user may know.
func mustBeEmbeddable(ctx context.Context, q querier, poll, user int64) error {
	var p pollHead
	err := q.QueryRow(ctx, "SELECT "+pollHeadColumns+" FROM polls WHERE id = $1", poll).Scan(p.targets()...)
	switch {
	case errors.Is(err, sql.ErrNoRows) || err == nil && !p.visibleTo(user, false):
		return errPollNotFound(poll)
	case err != nil:
		return fmt.Errorf("read poll %d: %w", poll, err)
	case p.private:
		return wire.Errorf(wire.InvalidParameter, "poll_id", "poll %d is private and cannot be embedded", poll)
	}
	return p.refuseUnready("poll_id")
}

// read finds the target. A poll must be one that everybody sees, and so must one with the tag.
func (want wantedTarget) read(ctx context.Context, q querier) (Target, error) {
	t := Target{Kind: want.kind, ID: want.id}
	var err, missing error
	switch want.kind {
	case TargetPoll:
		missing = errPollNotFound(want.id)
		err = q.QueryRow(ctx, "SELECT caption FROM polls WHERE id = $1 AND state = 1 AND NOT private", want.id).Scan(&t.Title)
	case TargetPollSet:
		missing = wire.Errorf(wire.Unknown, "poll_set_id", "there is no such poll set")
		err = q.QueryRow(ctx, "SELECT name, display_name FROM poll_sets WHERE id = $1", want.id).Scan(&t.Name, &t.Title)
	case TargetTag:
		missing = wire.Errorf(wire.Unknown, "tag", "no poll has this tag")
		err = q.QueryRow(ctx, `SELECT id, name, name FROM tags WHERE name = $1 AND EXISTS (
			SELECT 1 FROM poll_tags JOIN polls ON polls.id = poll_id WHERE tag_id = tags.id AND state = 1 AND NOT private)`, want.tag).Scan(&t.ID, &t.Name, &t.Title)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return Target{}, missing
	}
	if err != nil {
		return Target{}, fmt.Errorf("read a target: %w", err)
	}
	return t, nil
}

// joinTargets is for the tables t that have a kind and a target_id: it gives the
// columns that a Target is read from.
const (
	joinTargets = ` LEFT JOIN polls ON t.kind = 'poll' AND polls.id = t.target_id AND polls.state = 1
		LEFT JOIN poll_sets ON t.kind = 'set' AND poll_sets.id = t.target_id
		LEFT JOIN tags ON t.kind = 'tag' AND tags.id = t.target_id`
	targetColumns = `t.kind, t.target_id, COALESCE(poll_sets.name, tags.name, ''),
		COALESCE(polls.caption, poll_sets.display_name, tags.name, '')`
)

func (t *Target) targets() []any { return []any{&t.Kind, &t.ID, &t.Name, &t.Title} }

// defaultName is how an embed of the target is called when nobody names it.
func (t *Target) defaultName() string {
	if t.Kind == TargetPoll {
		return "poll-" + strconv.FormatInt(t.ID, 10)
	}
	return string(t.Kind) + "-" + t.Name
}

// inPage is the target as the embed page knows it.
func (t *Target) inPage() embed.Target {
	switch t.Kind {
	case TargetPollSet:
		return embed.Target{Kind: embed.KindPollSet, Value: strconv.FormatInt(t.ID, 10)}
	case TargetTag:
		return embed.Target{Kind: embed.KindTag, Value: t.Name}
	}
	return embed.Target{Kind: embed.KindPoll, Value: strconv.FormatInt(t.ID, 10)}
}

// maxTagPolls is how many polls of a tag are shown: as many as a set may have.
const maxTagPolls = maxSetPolls

// polls are those that the target shows to everybody, in order.
func (t *Target) polls(ctx context.Context, q querier) ([]int64, error) {
	switch t.Kind {
	case TargetPollSet:
		return readSetPolls(ctx, q, t.ID)
	case TargetTag:
		return readIDs(ctx, q, `SELECT polls.id FROM poll_tags JOIN polls ON polls.id = poll_id JOIN users ON users.id = creator_id
			WHERE tag_id = $1 AND state = 1 AND NOT private AND NOT suspended ORDER BY polls.id DESC LIMIT $2`, t.ID, maxTagPolls)
	}
	return []int64{t.ID}, nil
}

package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"stoa/internal/db"
	"stoa/polls/internal/wire"
)

const (
	shownVotes    = 20
	shownComments = 20
	listComments  = 3
)

const pollHeadColumns = "polls.id, polls.version, polls.creator_id, polls.state, polls.private, polls.first_votes, polls.second_votes"

// targets is where a row of pollHeadColumns is read to.
func (p *pollHead) targets() []any {
	return []any{&p.id, &p.version, &p.creator, &p.state, &p.private, &p.tally.first, &p.tally.second}
}

// querier reads: the database, or a transaction.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRow(ctx context.Context, query string, args ...any) *sql.Row
}

// readPoll reads a poll from one snapshot, nil when there is none, and the mark
// for people in it. Deleted polls are read too.
func readPoll(ctx context.Context, d *db.DB, id int64) (p *poll, err error) {
	err = d.InSnapshot(ctx, func(q *db.Tx) error {
		if p, err = readPollRow(ctx, q, id); err != nil || p == nil {
			return err
		}
		if p.recent, err = readRecentVotes(ctx, q, id, shownVotes); err != nil {
			return err
		}
		p.comments, err = readComments(ctx, q, id, wire.MaxNumber, shownComments)
		slices.Reverse(p.comments)
		return err
	})
	return p, err
}

func readPollRow(ctx context.Context, q querier, id int64) (*poll, error) {
	p := new(poll)
	var created int64
	targets := append(p.targets(), &p.caption, &p.choice[0], &p.choice[1], &p.favoriteCount, &p.commentCount, &created,
		&p.by.id, &p.by.username, &p.by.name, &p.imageID,
		&p.image.name, &p.image.contentType, &p.image.medium.width, &p.image.medium.height, &p.image.large.width, &p.image.large.height,
		&p.sources[0].fullURL, &p.sources[0].contextURL, &p.sources[0].publicDomain,
		&p.sources[1].fullURL, &p.sources[1].contextURL, &p.sources[1].publicDomain)
	err := q.QueryRow(ctx, "SELECT "+pollHeadColumns+`, caption, choice1, choice2, favorite_count, comment_count, polls.created_at,
		users.id, users.username, users.name, image_id,
		picture, picture_type, medium_width, medium_height, large_width, large_height,
		first_full_url, first_context_url, first_public_domain, second_full_url, second_context_url, second_public_domain
		FROM polls JOIN users ON users.id = creator_id WHERE polls.id = $1`, id).Scan(targets...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read poll %d: %w", id, err)
	}
	p.created = db.Time(created)
	return p, nil
}

// readRecentVotes reads the votes that were cast or changed last, newest first.
func readRecentVotes(ctx context.Context, q querier, poll int64, limit int) ([]recentVote, error) {
	rows, err := q.Query(ctx, `SELECT v.id, v.voter, v.choice, v.changed_at, users.id, users.username, users.name
		FROM (SELECT * FROM votes WHERE poll_id = $1 ORDER BY changed_at DESC, id DESC LIMIT $2) v
		LEFT JOIN users ON users.id = v.user_id ORDER BY v.changed_at DESC, v.id DESC`, poll, limit)
	if err != nil {
		return nil, fmt.Errorf("read votes of poll %d: %w", poll, err)
	}
	defer rows.Close()
	var votes []recentVote
	for rows.Next() {
		var v recentVote
		var changed int64
		var user sql.NullInt64
		var username, name sql.NullString
		if err := rows.Scan(&v.id, &v.voter, &v.choice, &changed, &user, &username, &name); err != nil {
			return nil, fmt.Errorf("read votes of poll %d: %w", poll, err)
		}
		v.changed = db.Time(changed)
		if user.Valid {
			v.by = &person{user.Int64, username.String, name.String}
		}
		votes = append(votes, v)
	}
	return votes, rows.Err()
}

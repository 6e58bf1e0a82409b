package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"time"

	"stoa/internal/blob"
	"stoa/internal/db"
)

// PollState is how a poll stands, for operators.
type PollState string

const (
	StateWaiting PollState = "waiting" // for its picture
	StateShown   PollState = "shown"
	StatePrivate PollState = "private" // seen by who has its key
	StateHidden  PollState = "hidden"
	StateDeleted PollState = "deleted"
)

// PollRecord is a poll as operators see it, in any state.
type PollRecord struct {
	ID                              int64
	State                           PollState
	Private                         bool
	URL                             string // of its page, with the key of a private poll
	Caption                         string
	Choices                         [2]string
	Votes                           [2]int64
	Favorites, Comments             int64
	Creator                         Author
	Created, Ready, Hidden, Deleted time.Time // zero: it is not
	HiddenBy                        string    // a username
	Picture                         bool      // there is one
}

// Author is an account beside what it made. One that is deleted has no name.
type Author struct {
	ID             int64
	Username, Name string
}

// pollRecords is the rows that scanRecord reads.
const pollRecords = "SELECT " + pollHeadColumns + `, caption, choice1, choice2, favorite_count, comment_count, picture,
	polls.created_at, ready_at, hidden_at, deleted_at, COALESCE(hider.username, ''), users.id, users.username, users.name
	FROM polls JOIN users ON users.id = creator_id LEFT JOIN users hider ON hider.id = hidden_by`

func (s *Service) scanRecord(row interface{ Scan(...any) error }) (PollRecord, error) {
	var p poll
	var r PollRecord
	var created, ready, hidden, deleted int64
	err := row.Scan(append(p.targets(), &p.caption, &p.choice[0], &p.choice[1], &r.Favorites, &r.Comments, &p.image.name,
		&created, &ready, &hidden, &deleted, &r.HiddenBy, &r.Creator.ID, &r.Creator.Username, &r.Creator.Name)...)
	if err != nil {
		return r, fmt.Errorf("read a poll: %w", err)
	}
	r.ID, r.Private, r.State = p.id, p.private, p.standing()
	r.Caption, r.Choices, r.Votes = p.caption, p.choice, [2]int64{p.tally.first, p.tally.second}
	r.URL, r.Picture = s.encoder.pollURL(&p, true), p.image.name != ""
	r.Created, r.Ready, r.Deleted = db.Time(created), timeOrNone(ready), timeOrNone(deleted)
	if p.state == pollHidden {
		r.Hidden = db.Time(hidden)
	} else {
		r.HiddenBy = "" // of a former time
	}
	return r, nil
}

// timeOrNone is the zero time for what has not happened.
func timeOrNone(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return db.Time(micros)
}

// standing is the state of a poll in the words of operators.
func (p *pollHead) standing() PollState {
	switch {
	case p.state == pollWithoutImage:
		return StateWaiting
	case p.state == pollDeleted:
		return StateDeleted
	case p.state == pollHidden:
		return StateHidden
	case p.private:
		return StatePrivate
	}
	return StateShown
}

// Record is a poll in any state.
func (s *Service) Record(ctx context.Context, poll int64) (PollRecord, error) {
	r, err := s.scanRecord(s.db.QueryRow(ctx, pollRecords+" WHERE polls.id = $1", poll))
	if errors.Is(err, sql.ErrNoRows) {
		err = errPollNotFound(poll)
	}
	return r, err
}

// Picture opens the picture of a poll in any state, to be closed by the caller. That of
// a deleted poll is soon gone.
func (s *Service) Picture(ctx context.Context, poll int64) (file io.ReadCloser, contentType string, err error) {
	p, err := readPollRow(ctx, s.db, poll)
	if err != nil {
		return nil, "", err
	}
	if p == nil || p.image.name == "" {
		return nil, "", errNoImage
	}
	opened, err := s.Blobs.Open(ctx, imageFolder+p.image.file("large"))
	if errors.Is(err, blob.ErrNotFound) {
		return nil, "", errNoImage
	}
	if err != nil {
		return nil, "", err
	}
	return opened, p.image.contentType, nil
}

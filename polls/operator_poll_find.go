package polls

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// PollQuery asks for polls. What is empty does not narrow it, but deleted polls are
// found only by their state.
type PollQuery struct {
	Text      string // in the caption or a choice, in any letter case; or the number of a poll
	Creator   string // a username
	Publisher string // whose team made it
	State     PollState
	Before    int64 // only polls below this number; 0: all
	Limit     int   // 1 to MaxFound
}

// MaxFound is how many polls are found at once.
const MaxFound = 100

// maxLooked is how many polls one search looks at, so that none takes long.
const maxLooked = 50_000

var inState = map[PollState]string{
	"":           "state <> 2",
	StateWaiting: "state = 0",
	StateShown:   "state = 1 AND NOT private",
	StatePrivate: "state = 1 AND private",
	StateHidden:  "state = 3",
	StateDeleted: "state = 2",
}

// FindPolls is the polls that are asked for, newest first, and where the next search
// goes on: Before that number, 0 at the end. It may find less than the limit, or nothing,
// and yet not be at the end.
func (s *Service) FindPolls(ctx context.Context, q PollQuery) (found []PollRecord, next int64, err error) {
	where, args, err := s.whichPolls(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	rows, err := s.db.Query(ctx, pollRecords+" WHERE "+where+" ORDER BY polls.id DESC LIMIT $2", args...)
	if err != nil {
		return nil, 0, fmt.Errorf("find polls: %w", err)
	}
	defer rows.Close()
	matches := q.matcher()
	looked, last := 0, int64(0)
	for rows.Next() {
		r, err := s.scanRecord(rows)
		if err != nil {
			return nil, 0, err
		}
		if len(found) == q.Limit {
			return found, last, nil
		}
		looked, last = looked+1, r.ID
		if matches(&r) {
			found = append(found, r)
		}
	}
	if looked < maxLooked {
		last = 0
	}
	return found, last, rows.Err()
}

// whichPolls is the condition for the database. Texts are compared here: no two engines
// agree on letter case.
func (s *Service) whichPolls(ctx context.Context, q PollQuery) (where string, args []any, err error) {
	state, known := inState[q.State]
	switch {
	case !known:
		return "", nil, wire.Errorf(wire.InvalidParameter, "state", "state must be waiting, shown, private, hidden or deleted")
	case q.Limit < 1 || q.Limit > MaxFound:
		return "", nil, wire.Errorf(wire.InvalidParameter, "limit", "limit must be 1 to %d", MaxFound)
	case q.Before < 0 || q.Before > wire.MaxNumber:
		return "", nil, wire.Errorf(wire.InvalidParameter, "before", "before must be the number of a poll")
	case q.Before == 0:
		q.Before = wire.MaxNumber
	}
	where, args = "polls.id < $1 AND "+state, []any{q.Before, maxLooked}
	if q.Creator != "" {
		creator, err := accountNamed(ctx, s.db, q.Creator)
		if err != nil {
			return "", nil, err
		}
		args = append(args, creator.id)
		where += " AND creator_id = $" + strconv.Itoa(len(args))
	}
	if q.Publisher != "" {
		publisher, err := readPublisher(ctx, s.db, q.Publisher)
		if err != nil {
			return "", nil, err
		}
		args = append(args, publisher.ID)
		where += " AND creator_id IN (SELECT user_id FROM members WHERE publisher_id = $" + strconv.Itoa(len(args)) + ")"
	}
	return where, args, nil
}

func (q *PollQuery) matcher() func(*PollRecord) bool {
	want := text.Fold(strings.TrimSpace(q.Text))
	if want == "" {
		return func(*PollRecord) bool { return true }
	}
	number, err := strconv.ParseInt(strings.TrimPrefix(want, "#"), 10, 64)
	return func(r *PollRecord) bool {
		if err == nil && r.ID == number {
			return true
		}
		for _, s := range []string{r.Caption, r.Choices[0], r.Choices[1]} {
			if strings.Contains(text.Fold(s), want) {
				return true
			}
		}
		return false
	}
}

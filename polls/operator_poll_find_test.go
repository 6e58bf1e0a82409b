package polls_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/polls"
)

func TestOperatorsFindPolls(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantAccount(t, d, "ann"), plantAccount(t, d, "bob")
		if _, err := s.service.CreatePublisher(t.Context(), "acme", "Acme", "bob"); err != nil {
			t.Fatal(err)
		}
		var ids []int64
		for i, change := range []string{
			"caption = 'ÄPFEL oder Birnen?'", "choice2 = 'Birnen'", "private = TRUE", "state = 0", "state = 3", "state = 2",
		} {
			id := plantPollOf(t, d, []int64{ann.id, bob.id}[i%2])
			exec(t, d, "UPDATE polls SET "+change+" WHERE id = $1", id)
			ids = append(ids, id)
		}
		find := func(q polls.PollQuery) (found []int64) {
			t.Helper()
			for {
				page, next, err := s.service.FindPolls(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range page {
					found = append(found, r.ID-ids[0]) // counted from 0
				}
				if next == 0 {
					return found
				}
				q.Before = next
			}
		}
		for _, c := range []struct {
			q    polls.PollQuery
			want []int64
		}{
			{polls.PollQuery{}, []int64{4, 3, 2, 1, 0}},
			{polls.PollQuery{Text: "äpfel"}, []int64{0}},
			{polls.PollQuery{Text: " birnen"}, []int64{1, 0}},
			{polls.PollQuery{Text: fmt.Sprintf("#%d", ids[2])}, []int64{2}},
			{polls.PollQuery{Text: "%"}, nil},
			{polls.PollQuery{Creator: "ANN"}, []int64{4, 2, 0}},
			{polls.PollQuery{Publisher: "acme"}, []int64{3, 1}},
			{polls.PollQuery{Creator: "ann", Publisher: "acme"}, nil},
			{polls.PollQuery{State: polls.StateShown}, []int64{1, 0}},
			{polls.PollQuery{State: polls.StatePrivate}, []int64{2}},
			{polls.PollQuery{State: polls.StateWaiting}, []int64{3}},
			{polls.PollQuery{State: polls.StateHidden}, []int64{4}},
			{polls.PollQuery{State: polls.StateDeleted}, []int64{5}},
		} {
			for _, c.q.Limit = range []int{1, 2, 100} {
				if got := find(c.q); !slices.Equal(got, c.want) {
					t.Errorf("%+v: got %v want %v", c.q, got, c.want)
				}
			}
		}
		for _, bad := range []polls.PollQuery{{Limit: 0}, {Limit: 101}, {Limit: 1, State: "gone"}, {Limit: 1, Creator: "nobody"}, {Limit: 1, Publisher: "none"}, {Limit: 1, Before: -1}} {
			if _, _, err := s.service.FindPolls(t.Context(), bad); err == nil {
				t.Errorf("%+v: got no error", bad)
			}
		}
	})
}

func TestDaysCountWhatHappenedOnThem(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantAccount(t, d, "ann")
		if _, err := s.service.CreatePublisher(t.Context(), "acme", "Acme", "ann"); err != nil {
			t.Fatal(err)
		}
		poll, old := plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id)
		for range 3 {
			s.voter().cast(poll, 1).object()
		}
		before := db.Micros(time.Now().Add(-24 * time.Hour))
		exec(t, d, "UPDATE polls SET created_at = $1 WHERE id = $2", before, old)
		exec(t, d, "UPDATE users SET created_at = $1 WHERE id <> $2", before, ann.id) // the planter's
		s.voter().cast(old, 2).object()
		exec(t, d, "UPDATE votes SET cast_at = $1, changed_at = $1 WHERE poll_id = $2", before, old)
		days, err := s.service.Days(t.Context(), "", 2)
		if err != nil || len(days) != 2 || !days[1].Date.Equal(days[0].Date.Add(24*time.Hour)) {
			t.Fatalf("got %v, %v want two days", days, err)
		}
		for i, want := range []polls.Day{{Votes: 1, Polls: 1, Accounts: 1}, {Votes: 3, Polls: 1, Accounts: 1}} {
			if days[i].Date = (time.Time{}); days[i] != want {
				t.Errorf("day %d: got %v want %v", i, days[i], want)
			}
		}
		if days, err := s.service.Days(t.Context(), "acme", 1); err != nil || days[0].Polls != 1 || days[0].Votes != 0 {
			t.Errorf("got %v, %v want one poll of the team, and no vote by an embed", days, err)
		}
		if totals, err := s.service.Totals(t.Context()); err != nil || totals != (polls.Totals{Polls: 2, Votes: 4, Accounts: 2, Publishers: 1}) {
			t.Errorf("got %+v, %v want two polls, four votes, two accounts, one publisher", totals, err)
		}
		spans, length, err := s.service.VoteSpans(t.Context(), poll)
		if err != nil || length != time.Hour || len(spans) == 0 || spans[0].Votes[0] == 0 {
			t.Errorf("got %v, %v, %v want the votes by the hour", spans, length, err)
		}
		for _, days := range []int{0, polls.MaxDays + 1} {
			if _, err := s.service.Days(t.Context(), "", days); err == nil {
				t.Errorf("%d days: got no error", days)
			}
		}
	})
}

// Who asks at the same time for the same shares an answer; what is asked for is never mixed up.
func TestStatisticsAreNotMixedUp(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		var busy sync.WaitGroup
		for range 4 {
			busy.Go(func() {
				for range 50 {
					if _, err := s.service.Days(t.Context(), "", 30); err != nil {
						t.Errorf("got %v want days", err)
					}
				}
			})
			busy.Go(func() {
				for range 50 {
					s.call("GET", "/publishers/30%20days%20of%20/stats", nil).refused(404, "publisher_not_found", "publisher_name")
				}
			})
		}
		busy.Wait()
	})
}

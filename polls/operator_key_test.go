package polls_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
)

func TestRetiredKeysOfAnonymousIDs(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, other := newSite(t, d), newSite(t, d) // two servers; one of them is told
		poll := plantPoll(t, d)
		old := s.voter()
		old.cast(poll, 1).object()
		listed := func(want ...polls.AnonymousKey) {
			t.Helper()
			if got, err := s.service.AnonymousKeys(t.Context()); err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("got %v, %v want %v", got, err, want)
			}
		}
		listed(polls.AnonymousKey{Number: 1, Newest: true})
		if err := s.service.RetireAnonymousKey(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "make another one first") {
			t.Errorf("got %v want the only key kept", err)
		}
		if number, err := s.service.NewAnonymousKey(t.Context()); err != nil || number != 2 {
			t.Fatalf("got %d, %v want 2", number, err)
		}
		eventually(t, "new ids have the new key", func() bool {
			id := other.service.Mint()
			s.call("GET", "/users/me", object{"anonymous_user_id": id}).object() // each knows those of the other
			return strings.HasPrefix(id, "02")
		})
		old.cast(poll, 2).object()
		if err := s.service.RetireAnonymousKey(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		listed(polls.AnonymousKey{Number: 1, Retired: true}, polls.AnonymousKey{Number: 2, Newest: true})
		eventually(t, "old ids are refused", func() bool {
			return other.call("POST", fmt.Sprintf("/polls/%d/votes", poll), object{"option": 2, "anonymous_user_id": old.id}).status == 401
		})
		stands(t, s.voter().look(poll), 0, 1)
		if err := s.service.RetireAnonymousKey(t.Context(), 3); err == nil || !strings.Contains(err.Error(), "no key 3") {
			t.Errorf("got %v want that there is none", err)
		}
	})
}

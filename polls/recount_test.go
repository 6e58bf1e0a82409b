package polls_test

import (
	"fmt"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
)

func TestRecount(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		good, bad := ann.ready(nil), ann.ready(nil)
		plantPolls(t, d, ann.id, 120) // so that it takes several steps
		last := ann.ready(nil)
		for _, poll := range []object{good, bad, last} {
			for option := range 2 {
				s.call("POST", pollPath(poll)+"/votes", object{"option": option + 1, "anonymous_user_id": s.service.Mint()}).object()
			}
		}
		recount := func(repair bool) string {
			t.Helper()
			var found []polls.Difference
			var told []string
			err := s.service.Recount(t.Context(), repair, func(d polls.Difference) { found = append(found, d) },
				func(part string, done, total int) { told = append(told, fmt.Sprintf("%s %d/%d", part, done, total)) })
			if err != nil {
				t.Fatal(err)
			}
			if got, want := fmt.Sprint(told), "[polls 0/123 polls 50/123 polls 100/123 polls 123/123]"; got != want {
				t.Errorf("got progress %s want %s", got, want)
			}
			return fmt.Sprint(found)
		}
		if got := recount(false); got != "[]" {
			t.Errorf("got %s want no difference", got)
		}
		exec(t, d, "UPDATE polls SET first_votes = 7, comment_count = 1 WHERE id = $1", pollID(bad))
		exec(t, d, "UPDATE polls SET favorite_count = 3 WHERE id = $1", pollID(last))
		want := fmt.Sprintf("[poll %[1]d: first_votes is 7, but there are 1 poll %[1]d: comments is 1, but there are 0 poll %[2]d: favorites is 3, but there are 0]",
			pollID(bad), pollID(last))
		for _, repair := range []bool{false, true} {
			if got := recount(repair); got != want {
				t.Errorf("got %s want %s", got, want)
			}
		}
		if got := recount(false); got != "[]" {
			t.Errorf("got %s after the repair want no difference", got)
		}
		if got := s.call("GET", pollPath(bad), nil).object(); got["voteCount"] != 2.0 || got["commentCount"] != 0.0 {
			t.Errorf("got %v want the repaired counts", got)
		}
	})
}

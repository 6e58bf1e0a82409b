package polls_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"stoa/internal/db"
)

// listed is the numbers of the polls in a list.
func (s *site) listed(path string) (ids []int64) {
	s.t.Helper()
	got := s.call("GET", path, nil)
	var polls []object
	if err := json.Unmarshal(got.body, &polls); err != nil || got.status != 200 {
		s.t.Fatalf("got %d %s of %s want a list", got.status, got.body, path)
	}
	for _, p := range polls {
		ids = append(ids, pollID(p))
	}
	return ids
}

// next is where a Link header leads to, as a path of the API.
func (s *site) next(a answer) string {
	s.t.Helper()
	for link := range strings.SplitSeq(a.header.Get("Link"), ", ") {
		if url, ok := strings.CutSuffix(link, `>; rel="next"`); ok {
			return strings.TrimPrefix(url, "<"+s.service.Origin+"/api/v4")
		}
	}
	return ""
}

func TestPollsCreated(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "Ann")
		made := plantPolls(t, d, ann.id, 23)
		slices.Reverse(made)
		hidden := ann.ready(object{"private": true})
		ann.draft(nil)

		first := s.call("GET", "/users/ann/polls_created", nil)
		address := s.service.Origin + "/api/v4/users/ann/polls_created"
		for name, want := range map[string]string{
			"X-Total-Count": "23", "X-Page": "1", "X-Per-Page": "10",
			"Link": fmt.Sprintf(`<%[1]s?page=1&limit=10>; rel="first", <%[1]s?page=2&limit=10>; rel="next", <%[1]s?page=3&limit=10>; rel="last"`, address),
		} {
			if got := first.header.Get(name); got != want {
				t.Errorf("got %s %q want %q", name, got, want)
			}
		}
		if !strings.Contains(string(first.body), `"isWinning":false`) || !strings.Contains(string(first.body), `"private":false`) {
			t.Errorf("got %s want private and isWinning", first.body)
		}
		for path, want := range map[string][]int64{
			"":                       made[:10],
			"?page=3":                made[20:],
			"?page=4":                nil,
			"?page=100000&limit=100": nil,
			"?limit=1000":            made,
			"?limit=5&page=2":        made[5:10],
			"?limit=3&before_poll_id=" + fmt.Sprint(made[4]): made[5:8],
		} {
			if got := s.listed("/users/ANN/polls_created" + path); !slices.Equal(got, want) {
				t.Errorf("got %v of %q want %v", got, path, want)
			}
		}
		if got := s.walk("/users/ann/polls_created?limit=4&before_poll_id=999999"); !slices.Equal(got, made) {
			t.Errorf("got %v of the walk want %v", got, made)
		}
		if got := s.call("GET", "/users/ann/polls_created?limit=500", nil).header.Get("X-Per-Page"); got != "100" {
			t.Errorf("got %s per page want 100", got)
		}
		if got := ann.call("GET", "/users/ann/polls_created", nil); got.header.Get("X-Total-Count") != "24" ||
			!strings.Contains(string(got.body), fmt.Sprintf(`"pollID":%d,`, pollID(hidden))) {
			t.Errorf("got %v %s want the creator to see the private poll", got.header, got.body)
		}
		for _, path := range []string{"/users/ann/polls_created", "/users/ann/poll_ids_created"} {
			for want, got := range map[string]answer{"no-cache": s.call("GET", path, nil), "private, no-cache": ann.call("GET", path, nil)} {
				if got := got.header.Get("Cache-Control"); got != want {
					t.Errorf("got Cache-Control %q of %s want %q", got, path, want)
				}
			}
		}
		for query, field := range map[string]string{
			"limit=0": "limit", "limit=-1": "limit", "limit=x": "limit", "page=0": "page", "page=100001": "page", "page=1.5": "page", "before_poll_id=x": "before_poll_id",
		} {
			s.call("GET", "/users/ann/polls_created?"+query, nil).refused(400, "invalid_parameter", field)
		}
		s.call("GET", "/users/nobody/polls_created", nil).refused(404, "user_not_found", "username")
		s.call("GET", "/users/nobody/polls_created?limit=0", nil).refused(400, "invalid_parameter", "limit")

		eve := plantLogin(s, d, "eve", "suspended")
		plantPolls(t, d, eve.id, 2)
		if got := s.listed("/users/eve/polls_created"); len(got) != 0 {
			t.Errorf("got %v of a suspended account want none", got)
		}
		if got := s.call("GET", "/users/eve/poll_ids_created", nil); string(got.body) != `{"poll_ids":[]}` {
			t.Errorf("got %s of a suspended account want none", got.body)
		}
	})
}

func TestPollIDsCreated(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		made := plantPolls(t, d, ann.id, 12)
		slices.Reverse(made)
		hidden := pollID(ann.ready(object{"private": true}))
		viewer := s.service.Mint()
		s.call("POST", fmt.Sprintf("/polls/%d/votes", made[3]), object{"option": 1, "anonymous_user_id": viewer}).object()
		ann.call("POST", fmt.Sprintf("/polls/%d/votes", made[5]), object{"option": 1}).object()

		without := func(i int) []int64 { return slices.Concat(made[:i], made[i+1:]) }
		path := "/users/ANN/poll_ids_created"
		for _, c := range []struct {
			name string
			got  answer
			want []int64
		}{
			{"all", s.call("GET", path, nil), made},
			{"unvoted by nobody", s.call("GET", path, object{"unvoted": "true"}), made},
			{"unvoted", s.call("GET", path, object{"unvoted": "true", "anonymous_user_id": viewer}), without(3)},
			{"voted too", s.call("GET", path, object{"unvoted": "false", "anonymous_user_id": viewer}), made},
			{"of the creator", ann.call("GET", path, object{"unvoted": "true"}), append([]int64{hidden}, without(5)...)},
		} {
			var got struct{ Poll_ids []int64 }
			if err := json.Unmarshal(c.got.body, &got); err != nil || !slices.Equal(got.Poll_ids, c.want) {
				t.Errorf("got %s (%s) want %v", c.got.body, c.name, c.want)
			}
		}
		s.call("GET", path, object{"unvoted": "maybe"}).refused(400, "invalid_parameter", "unvoted")
		s.call("GET", path, object{"anonymous_user_id": "x"}).refused(401, "invalid_anonymous_user_id", "anonymous_user_id")
		s.call("GET", "/users/nobody/poll_ids_created", nil).refused(404, "user_not_found", "username")
		bob := plantLogin(s, d, "bob")
		if got := s.call("GET", "/users/bob/poll_ids_created", nil); string(got.body) != `{"poll_ids":[]}` {
			t.Errorf("got %s for %s want an empty list", got.body, bob.name)
		}
	})
}

package polls_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
)

func TestRecentList(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		if got := s.call("GET", "/polls", nil); string(got.body) != "[]" || got.header.Get("Link") != "" {
			t.Errorf("got %s, Link %q want an empty list", got.body, got.header.Get("Link"))
		}
		ann := plantLogin(s, d, "ann")
		made := []int64{pollID(ann.ready(nil))}
		made = append(made, plantPolls(t, d, ann.id, 24)...)
		made = append(made, pollID(ann.ready(nil))) // and with it the list is known to have changed
		slices.Reverse(made)

		first := s.call("GET", "/polls", nil)
		var polls []object
		if err := json.Unmarshal(first.body, &polls); err != nil || len(polls) != 10 {
			t.Fatalf("got %s want ten polls", first.body)
		}
		for _, absent := range []string{"private", "firstChoiceName", "votes", "image", "userVote", "success"} {
			if _, there := polls[0][absent]; there {
				t.Errorf("got %s in the recent list", absent)
			}
		}
		if _, there := polls[0]["choices"].([]any)[0].(object)["isWinning"]; there || polls[0]["pollType"] != "single-photo" {
			t.Errorf("got %v want the type, and no winner", polls[0])
		}
		if got := s.walk("/polls"); !slices.Equal(got, made) {
			t.Errorf("got %v want %v", got, made)
		}
		for path, want := range map[string][]int64{
			fmt.Sprint("/polls?before_poll_id=", made[0]):  made[1:11],
			fmt.Sprint("/polls?before_poll_id=", made[20]): made[21:],
			fmt.Sprint("/polls?before_poll_id=", made[25]): nil,
			"/polls?before_poll_id=0":                      nil,
			"/polls?before_poll_id=9999999999999999":       made[:10],
			"/polls?before_poll_id=":                       made[:10],
			"/polls?tag=nobody_has_it":                     nil,
			"/polls/":                                      made[:10],
		} {
			if got := s.listed(path); !slices.Equal(got, want) {
				t.Errorf("got %v of %s want %v", got, path, want)
			}
		}
		for _, bad := range []string{"-1", "1.5", "0x1", "true", "99999999999999999"} {
			s.call("GET", "/polls?before_poll_id="+bad, nil).refused(400, "invalid_parameter", "before_poll_id")
		}
		s.call("GET", "/polls?tag=a-b", nil).refused(422, "invalid_text", "tag")
	})
}

// walk follows a list to its end.
func (s *site) walk(path string) (ids []int64) {
	for path != "" {
		got := s.call("GET", path, nil)
		var polls []object
		if err := json.Unmarshal(got.body, &polls); err != nil {
			s.t.Fatalf("got %s want a list", got.body)
		}
		for _, p := range polls {
			ids = append(ids, pollID(p))
		}
		path = s.next(got)
	}
	return ids
}

func TestRecentListFollowsChanges(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		other := newOther(t, d, s)
		ann := plantLogin(s, d, "ann")
		voter := s.service.Mint()
		poll := ann.ready(nil)
		for _, look := range []*site{s, other} {
			look.listed("/polls")
		}
		s.call("POST", pollPath(poll)+"/votes", object{"option": 2, "anonymous_user_id": voter}).object()
		for _, look := range []*site{s, other} {
			if got := look.call("GET", "/polls", nil); !strings.Contains(string(got.body), `"voteCount":1`) {
				t.Errorf("got %s want the vote", got.body)
			}
		}
		second := ann.ready(nil)
		for _, look := range []*site{s, other} {
			if got := look.listed("/polls"); !slices.Equal(got, []int64{pollID(second), pollID(poll)}) {
				t.Errorf("got %v want both polls", got)
			}
		}
		ann.call("DELETE", pollPath(second), nil).object()
		for _, look := range []*site{s, other} {
			if got := look.listed("/polls"); !slices.Equal(got, []int64{pollID(poll)}) {
				t.Errorf("got %v want the poll that is left", got)
			}
		}
	})
}

// newOther is a second process on a PostgreSQL database; SQLite has but one.
func newOther(t *testing.T, d *db.DB, s *site) *site {
	if d.Postgres() {
		return newSite(t, d)
	}
	return s
}

func TestPopularPolls(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *polls.Options) { o.PopularMinVotes = 2 })
		ann := plantLogin(s, d, "ann")
		poll := ann.ready(nil)
		voters := []string{s.service.Mint(), s.service.Mint()}
		for i, voter := range voters {
			if got := s.listed("/polls"); len(got) != 0 {
				t.Errorf("got %v with %d votes want nothing", got, i)
			}
			s.call("POST", pollPath(poll)+"/votes", object{"option": 1, "anonymous_user_id": voter}).object()
		}
		s.call("DELETE", pollPath(poll)+"/votes/remove", object{"anonymous_user_id": voters[0]}).object()
		if got := s.listed("/polls"); len(got) != 1 {
			t.Errorf("got %v want the poll to stay once it was popular", got)
		}
	})
}

func TestTags(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		one := ann.ready(object{"tags": "Food, drink"})
		two := ann.ready(object{"tags": []string{"#FOOD"}, "caption": "Tea or #coffee?"})
		for path, want := range map[string][]int64{
			"/polls?tag=food":     {pollID(two), pollID(one)},
			"/polls?tag=%23Drink": {pollID(one)},
			"/polls?tag=coffee":   {pollID(two)},
			"/polls?tag=tea":      nil,
		} {
			if got := s.listed(path); !slices.Equal(got, want) {
				t.Errorf("got %v of %s want %v", got, path, want)
			}
		}
		for range 10 {
			ann.ready(object{"tags": "food"})
		}
		if got := s.walk("/polls?tag=food"); len(got) != 12 {
			t.Errorf("got %v want twelve polls over two pages", got)
		}
	})
}

// A walk while polls are made and deleted shows each poll that stays once.
func TestWalkWhileTheListChanges(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		pages := 200
		if !d.Postgres() {
			pages = 40 // with the race detector SQLite reads slowly
		}
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		poll := ann.ready(nil)
		stays := plantPolls(t, d, ann.id, 10*pages)
		ann.call("DELETE", pollPath(poll), nil).object()

		seen := map[int64]int{}
		count, path := 0, "/polls"
		for path != "" {
			got := s.call("GET", path, nil)
			var list []object
			if err := json.Unmarshal(got.body, &list); err != nil {
				t.Fatalf("got %s want a list", got.body)
			}
			for _, p := range list {
				seen[pollID(p)]++
			}
			if path = s.next(got); path != "" && len(list) != 10 {
				t.Fatalf("got %d polls on a page with others behind it", len(list))
			}
			if count++; count%20 == 0 {
				fresh := ann.ready(nil)
				if count%40 == 0 {
					ann.call("DELETE", pollPath(fresh), nil).object()
				}
			}
		}
		for _, id := range stays {
			if seen[id] != 1 {
				t.Errorf("got poll %d %d times want once", id, seen[id])
			}
		}
		if count < pages {
			t.Errorf("got %d pages want %d", count, pages)
		}
	})
}

// A page that is read while a poll is deleted shows the next one in its place.
func TestPagesAreFullWhilePollsAreDeleted(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		made := plantPolls(t, d, ann.id, 50)
		deleted := make(chan struct{})
		var all sync.WaitGroup
		for _, path := range []string{"/polls", "/polls?before_poll_id=9000000"} {
			all.Go(func() {
				for more := true; more; {
					select {
					case <-deleted:
						more = false
					default:
					}
					var polls []object
					got := s.call("GET", path, nil)
					if err := json.Unmarshal(got.body, &polls); err != nil || len(polls) != 10 || s.next(got) == "" {
						t.Errorf("got %d polls, Link %q want a full page", len(polls), got.header.Get("Link"))
					}
					if strings.Contains(string(got.body), `"public":false`) {
						t.Error("got a deleted poll in the list")
					}
				}
			})
		}
		for _, id := range made[15:] {
			ann.call("DELETE", fmt.Sprint("/polls/", id), nil).object()
		}
		close(deleted)
		all.Wait()
	})
}

// plantPolls puts ready polls into the database, quickly.
func plantPolls(t *testing.T, d *db.DB, creator int64, n int) (ids []int64) {
	t.Helper()
	ctx := t.Context()
	err := d.InTx(ctx, func(tx *db.Tx) (err error) {
		if ids, err = d.NextIDs(ctx, tx, "poll_ids", n); err != nil {
			return err
		}
		for _, id := range ids {
			if _, err := tx.Exec(ctx, `INSERT INTO polls (id, version, state, creator_id, caption, choice1, choice2, private, first_votes,
				second_votes, peak_votes, favorite_count, comment_count, image_id, upload_key, upload_type, picture, picture_type,
				medium_width, medium_height, large_width, large_height, first_full_url, first_context_url, second_full_url,
				second_context_url, created_at, ready_at, deleted_at)
				VALUES ($1, 1, 1, $2, 'c', 'a', 'b', FALSE, 0, 0, 0, 0, 0, $3, '', '', '', 'image/jpeg', 1, 1, 1, 1, '', '', '', '', 1, 1, 0)`,
				id, creator, -id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

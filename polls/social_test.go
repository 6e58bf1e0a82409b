package polls_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"stoa/internal/db"
)

func TestCommentsAreListedNewestFirst(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "Ann")
		poll := fmt.Sprintf("/polls/%d", plantPollOf(t, d, ann.id))
		for i := range 25 {
			a := ann.call("POST", poll+"/comments", object{"body": fmt.Sprintf(" <b>%d</b>\r\n'; ", i+1)})
			o := a.object()
			members(t, o, "success", "commentID", "body", "date", "userID", "username", "profilePhotoSmall")
			shows(t, o, object{"success": true, "commentID": i + 1, "body": fmt.Sprintf("<b>%d</b>\n';", i+1), "userID": ann.id, "username": "Ann"})
			if a.status != 201 {
				t.Errorf("got %d want 201", a.status)
			}
		}
		ids := func(params object) string {
			var all []any
			for _, c := range s.call("GET", poll+"/comments", params).list() {
				members(t, c, "commentID", "body", "date", "userID", "username", "profilePhotoSmall")
				all = append(all, c["commentID"])
			}
			return fmt.Sprint(all)
		}
		for _, test := range []struct {
			params object
			want   string
		}{
			{nil, "[25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6]"},
			{object{"limit": 2}, "[25 24]"},
			{object{"limit": 3, "before_comment_id": 3}, "[2 1]"},
			{object{"limit": 1000, "before_comment_id": 6}, "[5 4 3 2 1]"},
			{object{"before_comment_id": 1}, "[]"},
		} {
			if got := ids(test.params); got != test.want {
				t.Errorf("%v: got %s want %s", test.params, got, test.want)
			}
		}
		o := s.call("GET", poll, nil).object()
		shown := o["comments"].([]any)
		if len(shown) != 20 || shown[0].(object)["commentID"] != 6.0 || o["commentCount"] != 25.0 {
			t.Errorf("got %d comments from %v on, count %v want 20 from 6 on, 25", len(shown), shown[0], o["commentCount"])
		}
		s.call("GET", poll+"/comments", object{"limit": 0}).refused(400, "invalid_parameter", "limit")
		s.call("GET", poll+"/comments", object{"before_comment_id": "x"}).refused(400, "invalid_parameter", "before_comment_id")
		s.call("GET", "/polls/999/comments", nil).refused(404, "poll_not_found", "poll_id")
	})
}

func TestCommentRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob, fresh := plantLogin(s, d, "ann"), plantLogin(s, d, "bob"), plantLogin(s, d, "fresh")
		exec(t, d, "UPDATE users SET confirmed = FALSE WHERE id = $1", fresh.id)
		poll := fmt.Sprintf("/polls/%d/comments", plantPollOf(t, d, ann.id))
		empty := plantPollOf(t, d, ann.id)
		exec(t, d, "UPDATE polls SET state = 0 WHERE id = $1", empty)
		unready := fmt.Sprintf("/polls/%d/comments", empty)
		body := object{"body": "x"}
		s.call("POST", poll, body).refused(401, "authentication_required", "auth_token")
		s.call("POST", poll, object{"body": "x", "anonymous_user_id": s.service.Mint()}).refused(401, "authentication_required", "auth_token")
		bob.call("POST", poll, nil).refused(422, "missing_parameter", "body")
		bob.call("POST", poll, object{"body": " \n"}).refused(422, "too_short", "body")
		bob.call("POST", poll, object{"body": strings.Repeat("x", 1001)}).refused(422, "too_long", "body")
		bob.call("POST", poll, object{"body": "\u202e"}).refused(422, "invalid_text", "body")
		bob.call("POST", "/polls/999/comments", body).refused(404, "poll_not_found", "poll_id")
		bob.call("POST", "/polls/x/comments", body).refused(404, "poll_not_found", "poll_id")
		fresh.call("POST", poll, body).refused(403, "not_confirmed", "")
		bob.call("POST", unready, body).refused(404, "poll_not_found", "poll_id")
		ann.call("POST", unready, body).refused(409, "poll_not_ready", "")
	})
}

func TestWhoMayDeleteAComment(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob, eve, root := plantLogin(s, d, "ann"), plantLogin(s, d, "bob"), plantLogin(s, d, "eve"), plantLogin(s, d, "root")
		exec(t, d, "UPDATE users SET operator = TRUE WHERE id = $1", root.id)
		id := plantPollOf(t, d, ann.id)
		poll := fmt.Sprintf("/polls/%d", id)
		say := func() string {
			return fmt.Sprintf("%s/comments/%v", poll, bob.call("POST", poll+"/comments", object{"body": "x"}).object()["commentID"])
		}
		said := say()
		s.call("DELETE", said, nil).refused(401, "authentication_required", "auth_token")
		eve.call("DELETE", said, nil).refused(403, "forbidden", "comment_id")
		eve.call("DELETE", poll+"/comments/999", nil).refused(404, "not_found", "comment_id")
		other := plantPollOf(t, d, ann.id)
		bob.call("DELETE", strings.Replace(said, poll, fmt.Sprintf("/polls/%d", other), 1), nil).refused(404, "not_found", "comment_id")
		for _, who := range []login{bob, ann, root} {
			who.call("DELETE", said, nil).object()
			who.call("DELETE", said, nil).refused(404, "not_found", "comment_id")
			shows(t, s.call("GET", poll, nil).object(), object{"commentCount": 0, "comments": "[]"})
			said = say()
		}
		exec(t, d, "UPDATE polls SET private = TRUE WHERE id = $1", id)
		eve.call("DELETE", said, nil).refused(404, "poll_not_found", "poll_id")
		bob.call("DELETE", said, nil).object()
	})
}

func TestFavoritesAreCountedOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		id := plantPollOf(t, d, ann.id)
		poll := fmt.Sprintf("/polls/%d", id)
		for _, step := range []struct {
			who    login
			method string
			want   int
		}{
			{ann, "DELETE", 0}, {ann, "POST", 1}, {ann, "POST", 1}, {bob, "POST", 2}, {ann, "DELETE", 1}, {ann, "DELETE", 1},
		} {
			o := step.who.call(step.method, poll+"/favorite", nil).object()
			members(t, o, "success", "favoriteCount")
			shows(t, o, object{"success": true, "favoriteCount": step.want})
			shows(t, s.call("GET", poll, nil).object(), object{"favoriteCount": step.want})
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { ann.call("POST", poll+"/favorite", nil).object() })
		}
		all.Wait()
		shows(t, s.call("GET", poll, nil).object(), object{"favoriteCount": 2})

		s.call("POST", poll+"/favorite", nil).refused(401, "authentication_required", "auth_token")
		ann.call("POST", "/polls/999/favorite", nil).refused(404, "poll_not_found", "poll_id")
		exec(t, d, "UPDATE polls SET state = 0 WHERE id = $1", id)
		ann.call("POST", poll+"/favorite", nil).refused(409, "poll_not_ready", "")
		bob.call("POST", poll+"/favorite", nil).refused(404, "poll_not_found", "poll_id")
	})
}

func TestFollow(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		plantLogin(s, d, "Bob")
		for range 2 {
			members(t, ann.call("POST", "/users/BOB/follow", nil).object(), "success")
			shows(t, s.call("GET", "/users/bob", nil).object(), object{"followedByCount": 1, "followingCount": 0})
			shows(t, s.call("GET", "/users/ann", nil).object(), object{"followedByCount": 0, "followingCount": 1})
		}
		for range 2 {
			ann.call("DELETE", "/users/bob/follow", nil).object()
			shows(t, s.call("GET", "/users/bob", nil).object(), object{"followedByCount": 0})
		}
		s.call("POST", "/users/bob/follow", nil).refused(401, "authentication_required", "auth_token")
		ann.call("POST", "/users/Ann/follow", nil).refused(400, "invalid_parameter", "username")
		ann.call("POST", "/users/eve/follow", nil).refused(404, "user_not_found", "username")
	})
}

func TestCountsOfAUser(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob, eve := plantLogin(s, d, "ann"), plantLogin(s, d, "bob"), plantLogin(s, d, "eve")
		first, second, private, deleted := plantPollOf(t, d, ann.id), plantPollOf(t, d, bob.id), plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id)
		exec(t, d, "UPDATE polls SET private = TRUE WHERE id = $1", private)
		unready := plantPollOf(t, d, ann.id)
		exec(t, d, "UPDATE polls SET state = 0 WHERE id = $1", unready)
		for _, poll := range []int64{first, second, deleted} {
			path := fmt.Sprintf("/polls/%d", poll)
			for _, who := range []login{ann, bob} {
				who.call("POST", path+"/votes", object{"option": 1}).object()
				who.call("POST", path+"/comments", object{"body": "x"}).object()
				who.call("POST", path+"/favorite", nil).object()
			}
			s.call("POST", path+"/votes", object{"option": 2, "anonymous_user_id": s.service.Mint()}).object()
		}
		ann.call("POST", "/users/eve/follow", nil).object()
		ann.call("POST", "/users/bob/follow", nil).object()
		eve.call("POST", "/users/ann/follow", nil).object()
		exec(t, d, "UPDATE polls SET state = 2 WHERE id = $1", deleted)

		want := object{
			"pollsCreatedCount": 2, "pollsVotedOnCount": 2, "votesReceivedCount": 3, "favoriteCount": 2, "favoritesReceivedCount": 2,
			"commentsCount": 2, "commentsReceivedCount": 2, "followingCount": 2, "followedByCount": 1,
		}
		shows(t, s.call("GET", "/users/ann", nil).object(), want)
		self := ann.call("PATCH", "/users/me", nil).object()
		shows(t, self, want)
		shows(t, self, object{"following_ids": fmt.Sprint([]any{bob.id, eve.id}), "favorite_poll_ids": fmt.Sprint([]any{second, first})})
	})
}

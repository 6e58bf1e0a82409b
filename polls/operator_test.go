package polls_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/polls"
)

func TestOperatorMakesUsers(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, make(inbox).options)
		root, err := s.service.CreateUser(t.Context(), polls.NewUser{Username: "root", Email: "r@stoa.test", Password: goodPassword, Operator: true})
		if err != nil || !root.Operator || !root.Confirmed {
			t.Fatalf("got %+v, %v want a confirmed operator", root, err)
		}
		for i := range 3 {
			plantLogin(s, d, fmt.Sprintf("user%d", i))
		}
		var names []string
		for u, err := range s.service.Users(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, u.Username)
		}
		if got := strings.Join(names, " "); got != "root user0 user1 user2" {
			t.Errorf("got %s want root user0 user1 user2", got)
		}
		for _, bad := range []polls.NewUser{
			{}, {Username: "ROOT", Email: "x@stoa.test", Password: goodPassword}, {Username: "ann", Email: "R@stoa.test", Password: goodPassword},
		} {
			if _, err := s.service.CreateUser(t.Context(), bad); err == nil {
				t.Errorf("%+v: got no error", bad)
			}
		}
	})
}

func TestSuspendAndLift(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := s.join("ann")
		if err := s.service.Suspend(t.Context(), "ANN", true); err != nil {
			t.Fatal(err)
		}
		ann.call("GET", "/users/me", nil).refused(401, "invalid_token", "auth_token")
		if err := s.service.Suspend(t.Context(), "ann", false); err != nil {
			t.Fatal(err)
		}
		ann.call("GET", "/users/me", nil).refused(401, "invalid_token", "auth_token")
		s.call("POST", "/users/authenticate", object{"email_or_username": "ann", "password": goodPassword}).object()
		if err := s.service.Suspend(t.Context(), "bob", true); err == nil || !strings.Contains(err.Error(), "user_not_found") {
			t.Errorf("got %v want user_not_found", err)
		}
	})
}

func TestOperatorSetsPasswordAndRevokes(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ctx := t.Context()
		ann := plantLogin(s, d, "ann")
		if err := s.service.SetPassword(ctx, "ann", "short"); err == nil {
			t.Error("got no error for a short password")
		}
		if err := s.service.SetPassword(ctx, "ann", goodPassword); err != nil {
			t.Fatal(err)
		}
		ann.call("GET", "/users/me", nil).refused(401, "invalid_token", "auth_token")
		logIn := func() string {
			return s.call("POST", "/users/authenticate", object{"email_or_username": "ann", "password": goodPassword}).object()["authToken"].(string)
		}
		works := func(token string) bool { return s.call("GET", "/users/me", object{"auth_token": token}).status == 200 }
		one, two, three := logIn(), logIn(), logIn()
		tokens, err := s.service.Tokens(ctx, "ann")
		if err != nil || len(tokens) != 3 {
			t.Fatalf("got %v, %v want 3 tokens", tokens, err)
		}
		for _, which := range []string{tokens[0].ID, one} { // the last used, and one by itself
			if n, err := s.service.Revoke(ctx, "ann", which); n != 1 || err != nil {
				t.Errorf("%s: got %d, %v want 1", which, n, err)
			}
		}
		if works(one) || !works(two) || works(three) {
			t.Error("got other tokens revoked than those named")
		}
		if _, err := s.service.Revoke(ctx, "ann", "0123456789ab"); err == nil {
			t.Error("got no error for a token that is not there")
		}
		if n, err := s.service.Revoke(ctx, "ann", ""); n != 1 || err != nil || works(two) {
			t.Errorf("got %d, %v want all revoked", n, err)
		}
	})
}

func TestDeletedUserLeavesNothingBehind(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := s.join("ann"), plantLogin(s, d, "bob")
		own, others := plantPollOf(t, d, ann.id), []int64{}
		for i := range 120 { // more than one step
			poll := plantPollOf(t, d, bob.id)
			others = append(others, poll)
			path := fmt.Sprintf("/polls/%d", poll)
			ann.call("POST", path+"/votes", object{"option": 1 + i%2}).object()
			bob.call("POST", path+"/votes", object{"option": 2}).object()
		}
		poll, ownPath := fmt.Sprintf("/polls/%d", others[0]), fmt.Sprintf("/polls/%d", own)
		bob.call("POST", ownPath+"/votes", object{"option": 1}).object()
		for range 2 {
			ann.call("POST", poll+"/comments", object{"body": "x"}).object()
		}
		bob.call("POST", poll+"/comments", object{"body": "y"}).object()
		ann.call("POST", poll+"/favorite", nil).object()
		bob.call("POST", poll+"/favorite", nil).object()
		ann.call("POST", "/users/bob/follow", nil).object()
		bob.call("POST", "/users/ann/follow", nil).object()
		shows(t, s.call("GET", poll, nil).object(), object{"voteCount": 2, "commentCount": 3, "favoriteCount": 2})

		var told []string
		progress := func(part string, done, total int) { told = append(told, fmt.Sprintf("%s %d/%d", part, done, total)) }
		if err := s.service.DeleteUser(t.Context(), "Ann", progress); err != nil {
			t.Fatal(err)
		}
		want := "[polls 0/1 polls 1/1 votes 0/120 votes 100/120 votes 120/120 comments 0/1 comments 1/1 favorites 0/1 favorites 1/1]"
		if got := fmt.Sprint(told); got != want {
			t.Errorf("got progress %s want %s", got, want)
		}
		for _, id := range others {
			o := s.call("GET", fmt.Sprintf("/polls/%d", id), nil).object()
			shows(t, o, object{"voteCount": 1, "firstChoiceVoteCount": 0, "secondChoiceVoteCount": 1})
			if votes := o["votes"].([]any); len(votes) != 1 {
				t.Errorf("got %d votes shown want 1", len(votes))
			}
		}
		shows(t, s.call("GET", poll, nil).object(), object{"commentCount": 1, "favoriteCount": 1})
		s.call("GET", ownPath, nil).refused(404, "poll_not_found", "poll_id")
		s.call("GET", "/users/ann", nil).refused(404, "user_not_found", "username")
		s.call("GET", "/users/", nil).refused(405, "method_not_allowed", "")
		ann.call("GET", "/users/me", nil).refused(401, "invalid_token", "auth_token")
		shows(t, s.call("GET", "/users/bob", nil).object(), object{"followedByCount": 0, "followingCount": 0, "commentsCount": 1, "pollsVotedOnCount": 120})
		for _, name := range []string{"ann", "ann@stoa.test", fmt.Sprintf("#%d", ann.id)} {
			s.call("POST", "/users/authenticate", object{"email_or_username": name, "password": goodPassword}).refused(401, "invalid_credentials", "")
		}
		if again := s.join("ann"); again.id == ann.id {
			t.Errorf("got the number %d again", again.id)
		}
	})
}

func TestOperatorCommandHoldsInARunningServer(t *testing.T) {
	t.Parallel()
	where := map[string]string{"sqlite": dbtest.SQLite(t), "postgres": dbtest.Postgres(t)}
	for engine, file := range where {
		t.Run(engine, func(t *testing.T) {
			d := dbtest.Open(t, file)
			if err := d.Migrate(t.Context(), polls.Room, polls.Migrations()); err != nil {
				t.Fatal(err)
			}
			server := newSite(t, d)
			command := newSite(t, dbtest.Open(t, file)).service // another process, as far as the server knows
			ann := plantLogin(server, d, "ann")
			path := fmt.Sprintf("/polls/%d", plantPollOf(t, d, ann.id))
			server.call("GET", path, nil).object()
			if err := command.DeleteUser(t.Context(), "ann", nil); err != nil {
				t.Fatal(err)
			}
			ann.call("GET", "/users/me", nil).refused(401, "invalid_token", "auth_token")
			for until := time.Now().Add(30 * time.Second); server.call("GET", path, nil).status != 404; {
				if time.Now().After(until) {
					t.Fatal("got a poll that is deleted")
				}
			}
		})
	}
}

// What is under way while an account is deleted is either taken back or refused.
func TestDeletedUserWritesNothingMore(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		other := newOther(t, d, s)
		bob := plantAccount(t, d, "bob")
		var others []int64
		for range 40 {
			others = append(others, plantPollOf(t, d, bob.id))
		}
		for round := range 3 {
			ann := plantLogin(s, d, fmt.Sprint("ann", round))
			var busy sync.WaitGroup
			for i, at := range []*site{s, other, s, other} {
				busy.Go(func() {
					me := login{at, ann.planted}
					for n := range others {
						path := fmt.Sprint("/polls/", others[(n+10*i)%len(others)])
						me.call("POST", path+"/votes", object{"option": 1})
						me.call("POST", path+"/comments", object{"body": "x"})
						me.call("POST", path+"/favorite", nil)
						if me.call("POST", "/polls", object{"caption": "x", "choice1": "a", "choice2": "b"}).status == 401 {
							return
						}
					}
				})
			}
			time.Sleep(20 * time.Millisecond)
			if err := other.service.DeleteUser(t.Context(), ann.name, nil); err != nil {
				t.Error(err)
			}
			busy.Wait()
			for _, left := range []string{"votes WHERE user_id", "comments WHERE user_id", "favorites WHERE user_id", "polls WHERE state <> 2 AND creator_id"} {
				var n int
				if err := d.QueryRow(t.Context(), "SELECT count(*) FROM "+left+" = $1", ann.id).Scan(&n); err != nil || n != 0 {
					t.Errorf("got %d of %s (%v), want none", n, left, err)
				}
			}
		}
	})
}

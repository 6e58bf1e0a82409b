package polls_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"stoa/internal/db"
)

const goodPassword = "correct horse battery"

// join signs up over the API.
func (s *site) join(name string) login {
	s.t.Helper()
	o := s.call("POST", "/users", object{"username": name, "email": name + "@stoa.test", "password": goodPassword}).object()
	return login{s, planted{int64(o["userID"].(float64)), name, o["authToken"].(string)}}
}

// members checks that an object has exactly these members.
func members(t testing.TB, got object, want ...string) {
	t.Helper()
	for _, name := range want {
		if _, there := got[name]; !there {
			t.Errorf("got no %s in %v", name, got)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d members %v want %d: %v", len(got), got, len(want), want)
	}
}

// shows checks some members of an object.
func shows(t testing.TB, got object, want object) {
	t.Helper()
	for name, value := range want {
		if fmt.Sprint(got[name]) != fmt.Sprint(value) {
			t.Errorf("%s: got %v want %v", name, got[name], value)
		}
	}
}

var (
	meMembers = []string{"userID", "username", "name", "location", "url", "twitter_username", "social_username",
		"profilePhotoLarge", "profilePhotoSmall"}
	profileMembers = append([]string{"website", "about", "pollsCreatedCount", "pollsVotedOnCount", "votesReceivedCount",
		"favoriteCount", "favoritesReceivedCount", "commentsCount", "commentsReceivedCount", "followingCount", "followedByCount"}, meMembers...)
	selfMembers = append([]string{"authToken", "success", "email", "confirmed", "following_ids", "favorite_poll_ids"}, profileMembers...)
)

func TestSignUpAndLogIn(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.call("POST", "/users", object{
			"username": "Ann_1", "email": "Ann@Stoa.Test", "password": goodPassword, "name": " Ann  of\tStoa ", "location": "Athens",
			"website": "https://stoa.test/", "about": "I\nask.", "social_username": "old", "twitter_username": "ann",
		})
		o := a.object()
		if a.status != 201 || a.header.Get("Cache-Control") != "no-store" {
			t.Errorf("got %d, Cache-Control %q want 201, no-store", a.status, a.header.Get("Cache-Control"))
		}
		members(t, o, selfMembers...)
		portrait := s.service.Origin + "/portraits/1-"
		shows(t, o, object{
			"success": true, "userID": 1, "username": "Ann_1", "name": "Ann  of Stoa", "location": "Athens", "url": "/users/Ann_1",
			"twitter_username": "ann", "social_username": "ann", "website": "https://stoa.test/", "about": "I\nask.",
			"email": "Ann@Stoa.Test", "confirmed": true, "following_ids": "[]", "favorite_poll_ids": "[]",
			"profilePhotoLarge": portrait + "256.png", "profilePhotoSmall": portrait + "64.png",
		})
		for _, name := range []string{"ann_1", "ANN_1", "ann@stoa.test", " Ann@stoa.test "} {
			a := s.call("POST", "/users/authenticate", object{"email_or_username": name, "password": goodPassword})
			again := a.object()
			members(t, again, selfMembers...)
			if a.status != 200 || a.header.Get("Cache-Control") != "no-store" || again["authToken"] == o["authToken"] {
				t.Errorf("%s: got %d, Cache-Control %q want 200, no-store, a token of its own", name, a.status, a.header.Get("Cache-Control"))
			}
		}
		me := s.call("GET", "/users/me", object{"auth_token": o["authToken"]})
		members(t, me.object(), append([]string{"authToken"}, meMembers...)...)
		shows(t, me.object(), object{"authToken": o["authToken"], "username": "Ann_1"})

		exec(t, d, "INSERT INTO publishers (id, name, display_name, created_at) VALUES (7, 'stoa', 'The Stoa', 0)")
		exec(t, d, "INSERT INTO members (user_id, publisher_id, owner, created_at) VALUES (1, 7, TRUE, 0)")
		for _, a := range []answer{
			s.call("GET", "/users/me", object{"auth_token": o["authToken"]}),
			s.call("POST", "/users/authenticate", object{"email_or_username": "ann_1", "password": goodPassword}),
		} {
			publisher, _ := a.object()["publisher"].(object)
			members(t, publisher, "id", "name", "display_name")
			shows(t, publisher, object{"id": 7, "name": "stoa", "display_name": "The Stoa"})
		}
	})
}

func TestSignUpRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		plantLogin(s, d, "Taken")
		for _, test := range []struct {
			name, value, field, code string
			status                   int
		}{
			{"username", "", "username", "missing_parameter", 422},
			{"username", "a", "username", "too_short", 422},
			{"username", strings.Repeat("a", 33), "username", "too_long", 422},
			{"username", "an-n", "username", "invalid_text", 422},
			{"username", "Sign_Out", "username", "invalid_text", 422},
			{"username", "tAKEN", "username", "username_taken", 409},
			{"email", "", "email", "missing_parameter", 422},
			{"email", "ann", "email", "invalid_text", 422},
			{"email", strings.Repeat("a", 250) + "@x.yz", "email", "too_long", 422},
			{"email", "TAKEN@stoa.test", "email", "email_taken", 409},
			{"password", "", "password", "missing_parameter", 422},
			{"password", "1234567", "password", "too_short", 422},
			{"password", strings.Repeat("é", 129), "password", "too_long", 422},
			{"name", strings.Repeat("n", 81), "name", "too_long", 422},
			{"website", "javascript:alert(1)", "website", "invalid_url", 422},
			{"about", "a\x01b", "about", "invalid_text", 422},
			{"social_username", strings.Repeat("s", 81), "social_username", "too_long", 422},
			{"twitter_username", strings.Repeat("t", 81), "twitter_username", "too_long", 422},
		} {
			params := object{"username": "ann", "email": "ann@stoa.test", "password": goodPassword}
			params[test.name] = test.value
			s.call("POST", "/users", params).refused(test.status, test.code, test.field)
		}
		s.call("POST", "/users", object{"username": []int{1}}).refused(400, "invalid_parameter", "username")
		s.call("POST", "/users", object{"username": "x-x"}).refused(422, "invalid_text", "username") // the first problem
	})
}

func TestLogInRefusals(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := s.join("ann")
		for _, test := range []struct{ name, password, field, code string }{
			{"", goodPassword, "email_or_username", "missing_parameter"},
			{"ann", "", "password", "missing_parameter"},
			{"ann", strings.ToUpper(goodPassword), "", "invalid_credentials"},
			{"bob", goodPassword, "", "invalid_credentials"},
			{"bob@stoa.test", goodPassword, "", "invalid_credentials"},
			{"#1", "", "password", "missing_parameter"},
		} {
			status := map[string]int{"missing_parameter": 422, "invalid_credentials": 401}[test.code]
			s.call("POST", "/users/authenticate", object{"email_or_username": test.name, "password": test.password}).refused(status, test.code, test.field)
		}
		if err := s.service.Suspend(t.Context(), "ann", true); err != nil {
			t.Fatal(err)
		}
		s.call("POST", "/users/authenticate", object{"email_or_username": "ann", "password": goodPassword}).refused(403, "suspended", "")
		s.call("POST", "/users/authenticate", object{"email_or_username": "ann", "password": "wrong password"}).refused(401, "invalid_credentials", "")
		ann.call("GET", "/users/me", nil).refused(401, "invalid_token", "auth_token")
	})
}

func TestProfileChange(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		poll := plantPollOf(t, d, ann.id)
		path := fmt.Sprintf("/polls/%d", poll)
		shows(t, s.call("GET", path, nil).object()["creator"].(object), object{"name": ""})

		o := ann.call("PATCH", "/users/me", object{"name": "Ann", "about": "me", "twitter_username": "t", "social_username": "s"}).object()
		members(t, o, selfMembers...)
		shows(t, o, object{"success": true, "name": "Ann", "about": "me", "social_username": "t", "authToken": ann.token, "email": "ann@stoa.test"})
		shows(t, s.call("GET", path, nil).object()["creator"].(object), object{"name": "Ann"})

		o = ann.call("PATCH", "/users/me", object{"about": " ", "name": ""}).object()
		shows(t, o, object{"name": "Ann", "about": ""}) // empty is not given, blanks are

		ann.call("PATCH", "/users/me", object{"location": strings.Repeat("x", 121)}).refused(422, "too_long", "location")
		ann.call("PATCH", "/users/me", object{"twitter_username": "t\x01", "social_username": "s"}).refused(422, "invalid_text", "twitter_username")
		ann.call("PATCH", "/users/me", object{"twitter_username": "", "social_username": "s\x01"}).refused(422, "invalid_text", "social_username")
		ann.call("PATCH", "/users/me", object{"email": "b@stoa.test"}).refused(422, "missing_parameter", "current_password")
		ann.call("PATCH", "/users/me", object{"password": "short"}).refused(422, "too_short", "password")
		s.call("PATCH", "/users/me", object{"name": "x"}).refused(401, "authentication_required", "auth_token")
		s.call("PATCH", "/users/me", object{"name": "x", "anonymous_user_id": s.service.Mint()}).refused(401, "authentication_required", "auth_token")
	})
}

func TestPasswordChangeEndsOtherLogins(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := s.join("ann")
		plantLogin(s, d, "bob")
		other := s.call("POST", "/users/authenticate", object{"email_or_username": "ann", "password": goodPassword}).object()["authToken"]
		ann.call("PATCH", "/users/me", object{"password": "another password", "current_password": "wrong"}).refused(401, "invalid_credentials", "current_password")
		ann.call("PATCH", "/users/me", object{"email": "BOB@stoa.test", "current_password": goodPassword}).refused(409, "email_taken", "email")
		shows(t, ann.call("PATCH", "/users/me", object{"email": "Ann2@stoa.test", "current_password": goodPassword}).object(),
			object{"email": "Ann2@stoa.test", "confirmed": true})
		s.call("GET", "/users/me", object{"auth_token": other}).object()

		ann.call("PATCH", "/users/me", object{"password": "another password", "current_password": goodPassword}).object()
		s.call("GET", "/users/me", object{"auth_token": other}).refused(401, "invalid_token", "auth_token")
		ann.call("GET", "/users/me", nil).object()
		s.call("POST", "/users/authenticate", object{"email_or_username": "ann2@stoa.test", "password": goodPassword}).refused(401, "invalid_credentials", "")
		s.call("POST", "/users/authenticate", object{"email_or_username": "ann2@stoa.test", "password": "another password"}).object()
	})
}

func TestPublicProfile(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		plantLogin(s, d, "Ann")
		o := s.call("GET", "/users/aNN", nil).object()
		members(t, o, profileMembers...)
		shows(t, o, object{"username": "Ann", "url": "/users/Ann", "name": ""})
		s.call("GET", "/users/bob", nil).refused(404, "user_not_found", "username")
		s.call("GET", "/users/%20", nil).refused(404, "user_not_found", "username")
	})
}

func TestOneOfTwoTakesAnAddress(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		sites := []*site{s, newOther(t, d, s)}
		ann, bob := s.join("ann"), s.join("bob")
		for round := range 5 {
			var took atomic.Int32
			var busy sync.WaitGroup
			for i, who := range []planted{ann.planted, bob.planted} {
				busy.Go(func() {
					change := object{"email": fmt.Sprintf("new%d@stoa.test", round), "current_password": goodPassword}
					if a := sites[i].as(who, "PATCH", "/users/me", change); a.status == 200 {
						took.Add(1)
					} else {
						a.refused(409, "email_taken", "email")
					}
				})
			}
			busy.Wait()
			if took.Load() != 1 {
				t.Errorf("got %d who took it want one", took.Load())
			}
		}
	})
}

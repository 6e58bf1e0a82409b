package polls_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/internal/db/dbtest"
	"stoa/polls"
	"stoa/polls/internal/credential"
	"stoa/ratelimit"
)

func TestAnonymousIDIsMintedAndKept(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.call("GET", "/users/me", nil)
		members(t, a.object(), "anonymousUserID")
		id := a.object()["anonymousUserID"].(string)
		if !regexp.MustCompile(`^[0-9a-f]{60}$`).MatchString(id) || a.header.Get("Cache-Control") != "no-store" || len(a.header["Set-Cookie"]) > 0 {
			t.Errorf("got %q, Cache-Control %q, cookies %q want 60 hex digits, no-store, none", id, a.header.Get("Cache-Control"), a.header["Set-Cookie"])
		}
		shows(t, s.call("GET", "/users/me", object{"anonymous_user_id": id}).object(), object{"anonymousUserID": id})
		if other := s.call("GET", "/users/me", nil).object()["anonymousUserID"]; other == id {
			t.Error("got the same id twice")
		}
		s.call("GET", "/users/me", object{"anonymous_user_id": id[:59] + "x"}).refused(401, "invalid_anonymous_user_id", "anonymous_user_id")
	})
}

// routesAsked is a decider that lets everything pass and tells what it was asked.
type routesAsked chan string

func (asked routesAsked) Decide(_ context.Context, r *ratelimit.Request, d *ratelimit.Decision) error {
	asked <- strings.Clone(r.Descriptors[0].Entries[0].Value)
	*d = ratelimit.Decision{Statuses: make([]ratelimit.Status, len(r.Descriptors))}
	return nil
}

func TestOnlyStrangersUseUpMinting(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		asked := make(routesAsked, 1)
		s := newSite(t, d, func(o *polls.Options) { o.Decider = asked })
		ann := plantLogin(s, d, "ann")
		for _, test := range []struct {
			method, path string
			params       object
			want         string
		}{
			{"GET", "/users/me", nil, "mint"},
			{"GET", "/users/me", object{"anonymous_user_id": s.service.Mint()}, "read"},
			{"GET", "/users/me", object{"auth_token": ann.token}, "read"},
			{"POST", "/users", nil, "signup"},
			{"POST", "/users/authenticate", nil, "authenticate"},
			{"POST", "/polls/1/comments", object{"auth_token": ann.token}, "comment"},
			{"POST", "/polls/1/comments", nil, "write"},
			{"PATCH", "/users/me", nil, "write"},
		} {
			s.call(test.method, test.path, test.params)
			if got := <-asked; got != test.want {
				t.Errorf("%s %s %v: got %s want %s", test.method, test.path, test.params, got, test.want)
			}
		}
	})
}

func TestTokenIsShownInSeveralWays(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		bearer := http.Header{"Authorization": {"bearer " + ann.token}}
		shows(t, s.send("GET", "/api/v4/users/me", bearer, nil).object(), object{"username": "ann", "authToken": ann.token})
		s.send("GET", "/api/v4/users/me?auth_token="+ann.token, bearer, nil).object()
		s.send("GET", "/api/v4/users/me?auth_token="+bob.token, bearer, nil).refused(400, "ambiguous_identity", "auth_token")
		nothing := http.Header{"Authorization": {"Bearer"}}
		shows(t, s.send("GET", "/api/v4/users/me?auth_token="+bob.token, nothing, nil).object(), object{"username": "bob"})
		shows(t, ann.call("GET", "/users/me", object{"anonymous_user_id": s.service.Mint()}).object(), object{"username": "ann"})
		for _, bad := range []string{"x", credential.NewToken()} {
			s.call("GET", "/users/bob", object{"auth_token": bad}).refused(401, "invalid_token", "auth_token")
		}
	})
}

func TestSignOutRevokesTheTokenShown(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		s.call("POST", "/users/sign_out", nil).refused(401, "authentication_required", "auth_token")
		shows(t, ann.call("POST", "/users/sign_out", nil).object(), object{"success": true})
		ann.call("GET", "/users/me", nil).refused(401, "invalid_token", "auth_token")
	})
}

func TestLeastRecentlyUsedTokenFallsOut(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := s.join("ann")
		logIn := func() string {
			return s.call("POST", "/users/authenticate", object{"email_or_username": "ann", "password": goodPassword}).object()["authToken"].(string)
		}
		second := logIn()
		// 48 more, each younger than the one before; hashing so many passwords takes too long.
		for i := range 48 {
			hash, _ := credential.HashToken(credential.NewToken())
			now := db.Micros(time.Now()) + int64(i)
			exec(t, d, "INSERT INTO tokens (hash, user_id, created_at, used_at) VALUES ($1, $2, $3, $3)", hash[:], ann.id, now)
		}
		ann.call("GET", "/users/me", nil).object() // so the second was not used for longest
		third := logIn()
		s.call("GET", "/users/me", object{"auth_token": second}).refused(401, "invalid_token", "auth_token")
		for _, token := range []string{ann.token, third} {
			s.call("GET", "/users/me", object{"auth_token": token}).object()
		}
		if tokens, err := s.service.Tokens(t.Context(), "ann"); err != nil || len(tokens) != 50 {
			t.Errorf("got %d tokens, %v want 50", len(tokens), err)
		}
	})
}

func TestTokenEndsUnusedOrOld(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		const day = 24 * time.Hour
		for i, test := range []struct {
			created, used time.Duration
			good          bool
		}{
			{364 * day, 89 * day, true},
			{364 * day, 91 * day, false},
			{366 * day, 0, false},
			{200 * day, 80 * day, true},
		} {
			// Each has a token of their own: one that is not good any more may be swept at any time.
			ann, now := plantLogin(s, d, fmt.Sprint("ann", i)), time.Now()
			exec(t, d, "UPDATE tokens SET created_at = $1, used_at = $2 WHERE user_id = $3",
				db.Micros(now.Add(-test.created)), db.Micros(now.Add(-test.used)), ann.id)
			if !test.good {
				ann.call("GET", "/users/me", nil).refused(401, "invalid_token", "auth_token")
				continue
			}
			ann.call("GET", "/users/me", nil).object()
			var used int64
			err := d.QueryRow(t.Context(), "SELECT used_at FROM tokens WHERE user_id = $1", ann.id).Scan(&used)
			if err != nil || time.Since(db.Time(used)) > time.Hour {
				t.Errorf("got last use %v, %v want now", db.Time(used), err)
			}
		}
	})
}

func TestEnvironmentsRefuseEachOther(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		production := newSite(t, d)
		// The keys of both are the same: the worst that a copied database can do.
		other := dbtest.Open(t, dbtest.SQLite(t))
		if err := other.Migrate(t.Context(), polls.Room, polls.Migrations()); err != nil {
			t.Fatal(err)
		}
		rows, err := d.Query(t.Context(), "SELECT purpose, number, sealed, retired FROM secrets")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var purpose string
			var number int
			var sealed []byte
			var retired bool
			if err := rows.Scan(&purpose, &number, &sealed, &retired); err != nil {
				t.Fatal(err)
			}
			exec(t, other, "INSERT INTO secrets (purpose, number, sealed, retired) VALUES ($1, $2, $3, $4)", purpose, number, sealed, retired)
		}
		staging := newSite(t, other, func(o *polls.Options) { o.Environment = "staging" })
		for _, pair := range [][2]*site{{production, staging}, {staging, production}} {
			from, to := pair[0], pair[1]
			id := from.call("GET", "/users/me", nil).object()["anonymousUserID"]
			from.call("GET", "/users/me", object{"anonymous_user_id": id}).object()
			to.call("GET", "/users/me", object{"anonymous_user_id": id}).refused(401, "invalid_anonymous_user_id", "anonymous_user_id")
		}
		ann, bob := plantLogin(production, d, "ann"), plantLogin(staging, other, "bob")
		staging.call("GET", "/users/me", object{"auth_token": ann.token}).refused(401, "invalid_token", "auth_token")
		production.call("GET", "/users/me", object{"auth_token": bob.token}).refused(401, "invalid_token", "auth_token")
	})
}

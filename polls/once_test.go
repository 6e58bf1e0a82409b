package polls_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"stoa/internal/db"
)

// again sends a form with an Idempotency-Key.
func (s *site) again(path, key, form string) answer {
	s.t.Helper()
	return s.send("POST", "/api/v4"+path, http.Header{"Idempotency-Key": {key}}, strings.NewReader(form))
}

func TestSignUpIsReplayed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		const form = "username=ann&email=ann@stoa.test&password=correct+horse"
		first, second := s.again("/users", "k1", form), s.again("/users", "k1", form)
		one, two := first.object(), second.object()
		token := one["authToken"].(string)
		if first.status != 201 || second.status != 201 || two["authToken"] == token || two["userID"] != one["userID"] {
			t.Errorf("got %d %s, then %d %s want the same account with another token", first.status, first.body, second.status, second.body)
		}
		if got := bytes.ReplaceAll(second.body, []byte(two["authToken"].(string)), []byte(token)); !bytes.Equal(got, first.body) {
			t.Errorf("got %s want but for the token %s", got, first.body)
		}
		for _, token := range []any{one["authToken"], two["authToken"]} {
			s.call("GET", "/users/me", object{"auth_token": token}).object()
		}
		s.again("/users", "k1", strings.Replace(form, "horse", "house", 1)).refused(409, "idempotency_conflict", "Idempotency-Key")
		s.again("/users", "k2", form).refused(409, "username_taken", "username")
		var kept []byte
		if err := d.QueryRow(t.Context(), "SELECT body FROM answers").Scan(&kept); err != nil || bytes.Contains(kept, []byte("pt_")) {
			t.Errorf("got %s, %v kept want no token in it", kept, err)
		}
		// Who does not know the password any more gets no token.
		s.call("PATCH", "/users/me", object{"auth_token": token, "password": "another password", "current_password": "correct horse"}).object()
		s.again("/users", "k1", form).refused(401, "invalid_credentials", "")
	})
}

func TestCommentIsSaidOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		id := plantPollOf(t, d, ann.id)
		poll := fmt.Sprintf("/polls/%d", id)
		form := "body=hello&auth_token=" + ann.token
		var all sync.WaitGroup
		var bodies [6]string
		for i := range bodies {
			all.Go(func() { bodies[i] = string(s.again(poll+"/comments", "key", form).body) })
		}
		all.Wait()
		for _, body := range bodies {
			if body != bodies[0] || !strings.Contains(body, `"commentID":1`) {
				t.Errorf("got %s and %s want the same comment", body, bodies[0])
			}
		}
		shows(t, s.call("GET", poll, nil).object(), object{"commentCount": 1})
		s.again(poll+"/comments", "key", "body=other&auth_token="+ann.token).refused(409, "idempotency_conflict", "Idempotency-Key")
		s.again(fmt.Sprintf("/polls/%d/comments", plantPollOf(t, d, ann.id)), "key", form).refused(409, "idempotency_conflict", "Idempotency-Key")
		s.again(poll+"/comments", "key", "body=hello&auth_token="+bob.token).object() // a key of bob's own
		shows(t, s.call("GET", poll, nil).object(), object{"commentCount": 2})

		exec(t, d, "UPDATE answers SET created_at = created_at - $1", (25 * time.Hour).Microseconds())
		s.again(poll+"/comments", "key", "body=other&auth_token="+ann.token).object()
		shows(t, s.call("GET", poll, nil).object(), object{"commentCount": 3})
	})
}

func TestFailedRequestMayBeTriedAgain(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		id := plantPollOf(t, d, ann.id)
		poll := fmt.Sprintf("/polls/%d", id)
		exec(t, d, "UPDATE polls SET state = 0 WHERE id = $1", id)
		form := "body=hello&auth_token=" + ann.token
		s.again(poll+"/comments", "key", form).refused(409, "poll_not_ready", "")
		var kept int
		if err := d.QueryRow(t.Context(), "SELECT count(*) FROM answers").Scan(&kept); err != nil || kept != 0 {
			t.Fatalf("got %d answers kept, %v want none of a refusal", kept, err)
		}
		exec(t, d, "UPDATE polls SET state = 1 WHERE id = $1", id)
		s.again(poll+"/comments", "key", form).object()
		for _, key := range []string{"", "a b", "é", strings.Repeat("k", 129)} {
			s.again(poll+"/comments", key, form).refused(400, "invalid_parameter", "Idempotency-Key")
		}
		s.again(poll+"/comments", strings.Repeat("~", 128), form).object()
	})
}

func TestWorkGoesOnWhenTheCallerLeaves(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		var times atomic.Int32
		started, finish := make(chan struct{}), make(chan struct{})
		server := httptest.NewServer(s.service.Once(func(w http.ResponseWriter, r *http.Request) {
			times.Add(1)
			close(started)
			<-finish
			if r.Context().Err() != nil {
				t.Error("got a context that ended with the caller")
			}
			w.Header().Set("Location", "/there")
			w.WriteHeader(201)
			fmt.Fprint(w, `{"done":1}`)
		}))
		defer server.Close()
		send := func(ctx context.Context) (*http.Response, error) {
			r, err := http.NewRequestWithContext(ctx, "POST", server.URL, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Idempotency-Key", "key")
			return http.DefaultClient.Do(r)
		}
		ctx, leave := context.WithCancel(t.Context())
		go func() {
			<-started
			leave()
		}()
		if _, err := send(ctx); err == nil {
			t.Fatal("got an answer before the work was done")
		}
		close(finish)
		second, err := send(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer second.Body.Close()
		body, _ := io.ReadAll(second.Body)
		if times.Load() != 1 || second.StatusCode != 201 || string(body) != `{"done":1}` || second.Header.Get("Location") != "/there" {
			t.Errorf("got %d %s at %q after %d times want 201, /there, once", second.StatusCode, body, second.Header.Get("Location"), times.Load())
		}
	})
}

func TestKeyOfADeadProcessIsFreedAgain(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		poll := fmt.Sprintf("/polls/%d/comments", plantPollOf(t, d, ann.id))
		exec(t, d, "INSERT INTO answers (caller, key, request_hash, status, body, location, created_at) VALUES ($1, 'key', $2, 0, $2, '', $3)",
			fmt.Sprintf("u%d", ann.id), []byte("of something"), db.Micros(time.Now().Add(-time.Minute)))
		s.again(poll, "key", "body=hello&auth_token="+ann.token).object()
	})
}

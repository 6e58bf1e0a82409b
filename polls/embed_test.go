package polls_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/polls"
)

const embeds = "/publishers/acme/embeds"

// plantTag gives polls a tag.
func plantTag(t testing.TB, d *db.DB, name string, ids ...int64) (tag int64) {
	t.Helper()
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		fresh, err := d.NextIDs(t.Context(), tx, "tag_ids", 1)
		if err == nil {
			tag = fresh[0]
			_, err = tx.Exec(t.Context(), "INSERT INTO tags (id, name) VALUES ($1, $2)", tag, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, poll := range ids {
		exec(t, d, "INSERT INTO poll_tags (tag_id, poll_id) VALUES ($1, $2)", tag, poll)
	}
	return tag
}

// plantSet makes a poll set of acme.
func plantSet(s *site, who planted, name string, ids ...int64) int64 {
	s.t.Helper()
	return int64(s.as(who, "POST", sets, object{"name": name, "display_name": name, "poll_ids": ids}).object()["id"].(float64))
}

// numbers are the statistics of acme: the total, and each embed by its name and
// target, as in "front poll 7".
func (s *site) numbers() (total object, byName map[string]object) {
	s.t.Helper()
	all := s.call("GET", "/publishers/acme/stats", nil).object()
	byName = map[string]object{}
	for _, e := range all["embeds"].([]any) {
		e := e.(object)
		for _, kind := range []string{"poll", "poll_set", "tag"} {
			if id := e[kind+"_id"]; id != nil {
				byName[fmt.Sprintf("%s %s %v", e["embed_name"], kind, id)] = e
			}
		}
	}
	return all["total"].(object), byName
}

func TestEmbedIsMadeWithSnippets(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		poll := plantPoll(t, d)
		tag := plantTag(t, d, "köln", poll)
		set := plantSet(s, ann, "week", poll)
		for _, want := range []struct {
			params         object
			name, member   string
			id             int64
			script, iframe string
		}{
			{object{"poll_id": poll, "embed_name": `Front "A"`}, `Front "A"`, "poll_id", poll,
				fmt.Sprintf(`data-poll-id="%d" data-name="Front &#34;A&#34;"`, poll), fmt.Sprintf("name=Front+%%22A%%22&amp;poll_id=%d", poll)},
			{object{"poll_id": poll}, fmt.Sprintf("poll-%d", poll), "poll_id", poll,
				fmt.Sprintf(`data-poll-id="%d">`, poll), fmt.Sprintf(`iframe?poll_id=%d"`, poll)},
			{object{"poll_set_id": set}, "set-week", "poll_set_id", set,
				fmt.Sprintf(`data-poll-set="%d">`, set), fmt.Sprintf(`iframe?pollset_id=%d"`, set)},
			{object{"tag": "#KÖLN"}, "tag-köln", "tag_id", tag, `data-tag="köln">`, `iframe?tag=k%C3%B6ln"`},
		} {
			a := s.as(ann, "POST", embeds, want.params)
			got := a.object()
			if a.status != 201 || got["success"] != true || got["embed_name"] != want.name || got[want.member] != float64(want.id) {
				t.Errorf("got %d %v want %s of %s %d", a.status, got, want.name, want.member, want.id)
			}
			script, iframe := got["script"].(string), got["iframe"].(string)
			if !strings.Contains(script, want.script) || !strings.Contains(iframe, want.iframe) || !strings.Contains(script, s.server.URL) {
				t.Errorf("got %s and %s want %s and %s", script, iframe, want.script, want.iframe)
			}
			if again := s.as(ann, "POST", embeds, want.params).object(); again["id"] != got["id"] {
				t.Errorf("got embed %v want %v again", again["id"], got["id"])
			}
		}
		all, err := s.service.Embeds(t.Context(), "acme")
		if err != nil || len(all) != 4 || all[0].Name != "tag-köln" || all[3].Target.Title != "Tabs or spaces?" || all[3].Script == "" {
			t.Errorf("got %+v, %v want four embeds, newest first", all, err)
		}
	})
}

func TestEmbedIsRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		eve := plantAccount(t, d, "eve")
		poll, private, unready, foreign := plantPoll(t, d), plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id), plantPoll(t, d)
		exec(t, d, "UPDATE polls SET private = TRUE WHERE id IN ($1, $2)", private, foreign)
		for i, poll := range []int64{private, foreign, unready} {
			exec(t, d, "INSERT INTO tags (id, name) VALUES ($1, $2)", i+900, fmt.Sprint("secret", i))
			exec(t, d, "INSERT INTO poll_tags (tag_id, poll_id) VALUES ($1, $2)", i+900, poll)
		}
		exec(t, d, "UPDATE polls SET state = 0 WHERE id = $1", unready)
		for _, place := range []struct{ method, path string }{{"POST", embeds}, {"PUT", "/publishers/acme/placements/front"}} {
			refuse := func(who planted, params object) answer { return s.as(who, place.method, place.path, params) }
			s.call(place.method, place.path, object{"poll_id": poll}).refused(401, "authentication_required", "auth_token")
			refuse(ann, nil).refused(422, "missing_parameter", "poll_id")
			refuse(ann, object{"poll_id": poll, "tag": "x"}).refused(400, "invalid_parameter", "poll_id")
			refuse(ann, object{"poll_id": "x"}).refused(400, "invalid_parameter", "poll_id")
			refuse(ann, object{"tag": "two words"}).refused(422, "invalid_text", "tag")
			for _, tag := range []string{"unused", "secret0", "secret1", "secret2"} { // as if nobody had it
				refuse(ann, object{"tag": tag}).refused(404, "not_found", "tag")
			}
			refuse(ann, object{"poll_set_id": 77}).refused(404, "not_found", "poll_set_id")
			refuse(ann, object{"poll_id": 999999}).refused(404, "poll_not_found", "poll_id")
			refuse(ann, object{"poll_id": foreign}).refused(404, "poll_not_found", "poll_id")
			refuse(ann, object{"poll_id": private}).refused(400, "invalid_parameter", "poll_id")
			refuse(ann, object{"poll_id": unready}).refused(409, "poll_not_ready", "poll_id")
			refuse(eve, object{"poll_id": poll}).refused(403, "forbidden", "")
		}
		s.as(ann, "POST", embeds, object{"poll_id": poll, "embed_name": strings.Repeat("x", 121)}).refused(422, "too_long", "embed_name")
		s.as(ann, "PUT", "/publishers/acme/placements/Front%20page", object{"poll_id": poll}).refused(422, "invalid_text", "placement")
		s.as(ann, "POST", "/publishers/none/embeds", object{"poll_id": poll}).refused(404, "publisher_not_found", "publisher_name")
		s.as(ann, "PUT", "/publishers/none/placements/x", object{"poll_id": poll}).refused(404, "publisher_not_found", "publisher_name")
	})
}

func TestBeaconCountsAViewOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		poll := plantPollOf(t, d, ann.id)
		name := fmt.Sprintf("poll-%d poll %d", poll, poll)
		token := s.page(fmt.Sprintf("?poll_id=%d", poll)).token()
		first, second := s.service.Mint(), s.service.Mint()
		for _, b := range []struct {
			view          string
			who           object
			views, people int
		}{
			{"view-aaaaaaaaaaaa", object{"anonymous_user_id": first}, 1, 1},
			{"view-aaaaaaaaaaaa", object{"anonymous_user_id": first}, 1, 1},
			{"view-aaaaaaaaaaaa", object{"anonymous_user_id": second}, 1, 1}, // a known view changes nothing
			{"view-bbbbbbbbbbbb", object{"anonymous_user_id": first}, 2, 1},
			{"view-cccccccccccc", object{"auth_token": ann.token}, 3, 2},
		} {
			b.who["embed_token"], b.who["view_id"], b.who["event"] = token, b.view, "view"
			if a := s.call("POST", "/embeds/beacon", b.who); a.status != 204 || len(a.body) != 0 {
				t.Errorf("got %d %s want 204", a.status, a.body)
			}
			total, by := s.numbers()
			if by[name]["views"] != float64(b.views) || by[name]["viewers"] != float64(b.people) || total["embed_viewers"] != float64(b.people) {
				t.Errorf("got %v want %d views of %d people", by[name], b.views, b.people)
			}
		}
	})
}

func TestViewsOfADeletedSetDoNotCount(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		set := plantSet(s, ann, "ours", plantPollOf(t, d, ann.id))
		token := s.page(fmt.Sprintf("?pollset_id=%d", set)).token()
		see := func(id string) {
			t.Helper()
			all := object{"embed_token": token, "view_id": id, "event": "view", "anonymous_user_id": s.service.Mint()}
			if a := s.call("POST", "/embeds/beacon", all); a.status != 204 {
				t.Errorf("got %d %s want 204", a.status, a.body)
			}
		}
		see("view-aaaaaaaaaaaa")
		s.as(ann, "DELETE", fmt.Sprintf("/publishers/acme/poll_sets/%d", set), nil)
		see("view-bbbbbbbbbbbb")
		if total, _ := s.numbers(); total["embed_views"] != 1.0 {
			t.Errorf("got %v want the view before the set was deleted", total)
		}
	})
}

func TestBeaconAsBrowsersSendIt(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		token := s.page(fmt.Sprintf("?poll_id=%d", plantPollOf(t, d, ann.id))).token()
		body := fmt.Sprintf(`{"event":"view","embed_token":%q,"view_id":"0123456789abcdef","anonymous_user_id":%q}`, token, s.service.Mint())
		a := s.send("POST", "/api/v4/embeds/beacon", http.Header{"Content-Type": {"text/plain;charset=UTF-8"}}, strings.NewReader(body))
		if total, _ := s.numbers(); a.status != 204 || total["embed_views"] != 1.0 {
			t.Errorf("got %d %s and %v want a view", a.status, a.body, total)
		}
	})
}

func TestBeaconIsRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		// Another environment on the same keys: only the name tells it apart.
		staging := newSite(t, d, func(o *polls.Options) { o.Environment = "staging" })
		query := fmt.Sprintf("?poll_id=%d", plantPollOf(t, d, ann.id))
		token := s.page(query).token()
		expired := s.service.EmbedToken(1, time.Now().Add(-25*time.Hour))
		good := func(change object) object {
			all := object{"embed_token": token, "view_id": "0123456789abcdef", "event": "view", "anonymous_user_id": s.service.Mint()}
			maps.Copy(all, change)
			return all
		}
		for _, refusal := range []struct {
			change object
			status int
			code   string
			field  string
		}{
			{object{"anonymous_user_id": nil}, 401, "authentication_required", "auth_token"},
			{object{"anonymous_user_id": "x"}, 401, "invalid_anonymous_user_id", "anonymous_user_id"},
			{object{"embed_token": token[:len(token)-1] + "?"}, 401, "invalid_token", "embed_token"},
			{object{"embed_token": strings.ToLower(token) + "x"}, 401, "invalid_token", "embed_token"},
			{object{"embed_token": expired}, 401, "invalid_token", "embed_token"},
			{object{"embed_token": staging.page(query).token()}, 401, "invalid_token", "embed_token"},
			{object{"embed_token": nil}, 422, "missing_parameter", "embed_token"},
			{object{"embed_token": []int{}}, 400, "invalid_parameter", "embed_token"},
			{object{"view_id": nil}, 422, "missing_parameter", "view_id"},
			{object{"view_id": "short"}, 400, "invalid_parameter", "view_id"},
			{object{"view_id": strings.Repeat("x", 65)}, 400, "invalid_parameter", "view_id"},
			{object{"view_id": "0123456789abcdef\n"}, 400, "invalid_parameter", "view_id"},
			{object{"event": nil}, 422, "missing_parameter", "event"},
			{object{"event": "vote"}, 400, "invalid_parameter", "event"},
		} {
			s.call("POST", "/embeds/beacon", good(refusal.change)).refused(refusal.status, refusal.code, refusal.field)
		}
		// A token of an embed that a restored database does not have.
		if a := s.call("POST", "/embeds/beacon", good(object{"embed_token": s.service.EmbedToken(12345, time.Now())})); a.status != 204 {
			t.Errorf("got %d %s want 204", a.status, a.body)
		}
		if total, _ := s.numbers(); total["embed_views"] != 0.0 {
			t.Errorf("got %v want no views", total)
		}
	})
}

func TestManyBeaconsAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		token := s.page(fmt.Sprintf("?poll_id=%d", plantPollOf(t, d, ann.id))).token()
		const viewers, each = 20, 10
		done := make(chan int)
		for range viewers {
			id := s.service.Mint()
			go func() {
				for i := range each { // every second view is told of twice
					done <- s.call("POST", "/embeds/beacon", object{
						"embed_token": token, "event": "view", "anonymous_user_id": id,
						"view_id": fmt.Sprintf("%s-%d", id[len(id)-20:], i/2),
					}).status
				}
			}()
		}
		for range viewers * each {
			if status := <-done; status != 204 {
				t.Errorf("got %d want 204", status)
			}
		}
		total, _ := s.numbers()
		if total["embed_views"] != float64(viewers*each/2) || total["embed_viewers"] != float64(viewers) {
			t.Errorf("got %v want %d views of %d viewers", total, viewers*each/2, viewers)
		}
	})
}

package polls_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"stoa/internal/db"
)

const sets = "/publishers/acme/poll_sets"

// list reads a body that is an array of objects.
func (a answer) list() []object {
	a.t.Helper()
	var all []object
	if err := json.Unmarshal(a.body, &all); a.status != 200 || err != nil || all == nil {
		a.t.Fatalf("got %d %s want an array", a.status, a.body)
	}
	return all
}

// ids reads an array of numbers in an object.
func ids(value any) []int64 {
	all := []int64{}
	for _, id := range value.([]any) {
		all = append(all, int64(id.(float64)))
	}
	return all
}

func TestPollSetLife(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		bob := plantAccount(t, d, "bob")
		s.as(ann, "POST", "/publishers/acme/members", object{"username": "bob"}).object()
		one, two, three := plantPollOf(t, d, ann.id), plantPoll(t, d), plantPoll(t, d)
		if got := s.call("GET", sets, nil).list(); len(got) != 0 {
			t.Errorf("got %v want no sets", got)
		}
		a := s.as(bob, "POST", sets, object{"name": "first", "display_name": "First", "poll_ids": []int64{three, one, two}})
		made := a.object()
		if want := []int64{three, one, two}; a.status != 201 || made["success"] != true || !slices.Equal(ids(made["poll_ids"]), want) {
			t.Errorf("got %d %v want polls %v", a.status, made, want)
		}
		// A form has no arrays.
		form := s.as(ann, "POST", sets, object{"name": "second", "display_name": "Second", "poll_ids": fmt.Sprintf("%d, %d", one, two)}).object()
		listed := s.call("GET", "/publishers/ACME/poll_sets", nil).list()
		if len(listed) != 2 || listed[0]["id"] != form["id"] || listed[1]["name"] != "first" {
			t.Errorf("got %v want the newest first", listed)
		}
		for _, name := range []string{"id", "name", "display_name", "poll_ids", "publisher_id", "created_at", "updated_at"} {
			if _, there := listed[0][name]; !there || len(listed[0]) != 7 {
				t.Errorf("got %v want 7 members with %s", listed[0], name)
			}
		}

		path := fmt.Sprintf("%s/%v", sets, made["id"])
		exec(t, d, "UPDATE poll_sets SET updated_at = 1000000")
		same := s.as(ann, "PATCH", path, object{"name": "first", "poll_ids": []int64{three, one, two}}).object()
		if same["updated_at"] != "1970-01-01T00:00:01Z" {
			t.Errorf("got updated_at %v of a set that is as it was", same["updated_at"])
		}
		changed := s.as(bob, "PATCH", path, object{"display_name": "Very first", "poll_ids": []int64{two, three}}).object()
		if changed["success"] != true || changed["name"] != "first" || changed["display_name"] != "Very first" ||
			!slices.Equal(ids(changed["poll_ids"]), []int64{two, three}) || changed["updated_at"] == same["updated_at"] {
			t.Errorf("got %v want the change", changed)
		}
		exec(t, d, "UPDATE polls SET state = 2 WHERE id = $1", two)
		exec(t, d, "UPDATE polls SET private = TRUE WHERE id = $1", one)
		if got := s.call("GET", sets, nil).list(); len(ids(got[0]["poll_ids"])) != 0 || !slices.Equal(ids(got[1]["poll_ids"]), []int64{three}) {
			t.Errorf("got %v want public polls only", got)
		}
		s.as(bob, "DELETE", path, nil).object()
		s.as(bob, "DELETE", path, nil).refused(404, "not_found", "poll_set_id")
		if got := s.call("GET", sets, nil).list(); len(got) != 1 {
			t.Errorf("got %v want one set left", got)
		}
	})
}

func TestPollSetIsRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		eve := plantAccount(t, d, "eve")
		s.as(eve, "POST", "/publishers", object{"name": "other", "display_name": "Other"}).object()
		poll, private, unready := plantPoll(t, d), plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id)
		exec(t, d, "UPDATE polls SET private = TRUE WHERE id = $1", private)
		exec(t, d, "UPDATE polls SET state = 0 WHERE id = $1", unready)
		good := func(change object) object {
			all := object{"name": "new", "display_name": "New", "poll_ids": []int64{poll}}
			maps.Copy(all, change)
			return all
		}
		made := s.as(ann, "POST", sets, good(object{"name": "old"})).object()
		s.as(ann, "POST", sets, good(object{"name": "older"})).object()
		many := make([]int64, 101)
		for i := range many {
			many[i] = int64(i + 1)
		}

		for _, refusal := range []struct {
			change object
			status int
			code   string
			field  string
		}{
			{object{"name": nil, "poll_ids": nil}, 422, "missing_parameter", "name"},
			{object{"name": "Not a name", "display_name": nil}, 422, "invalid_text", "name"},
			{object{"name": strings.Repeat("x", 65)}, 422, "too_long", "name"},
			{object{"display_name": nil}, 422, "missing_parameter", "display_name"},
			{object{"poll_ids": nil}, 422, "missing_parameter", "poll_ids"},
			{object{"poll_ids": []int64{}}, 400, "invalid_parameter", "poll_ids"},
			{object{"poll_ids": "one"}, 400, "invalid_parameter", "poll_ids"},
			{object{"poll_ids": []int64{poll, poll}}, 400, "invalid_parameter", "poll_ids"},
			{object{"poll_ids": many}, 400, "invalid_parameter", "poll_ids"},
			{object{"poll_ids": []int64{poll, 999999}}, 400, "invalid_parameter", "poll_ids"},
			{object{"poll_ids": []int64{-1}}, 400, "invalid_parameter", "poll_ids"},
			{object{"poll_ids": []int64{private}}, 400, "invalid_parameter", "poll_ids"},
			{object{"poll_ids": []int64{unready}}, 400, "invalid_parameter", "poll_ids"},
			{object{"name": "old"}, 409, "name_taken", "name"},
		} {
			s.as(ann, "POST", sets, good(refusal.change)).refused(refusal.status, refusal.code, refusal.field)
		}
		s.call("POST", sets, good(nil)).refused(401, "authentication_required", "auth_token")
		s.as(eve, "POST", sets, good(nil)).refused(403, "forbidden", "")
		s.as(ann, "POST", "/publishers/none/poll_sets", good(nil)).refused(404, "publisher_not_found", "publisher_name")
		s.call("GET", "/publishers/none/poll_sets", nil).refused(404, "publisher_not_found", "publisher_name")

		path := fmt.Sprintf("%s/%v", sets, made["id"])
		s.as(ann, "PATCH", path, object{"name": "older"}).refused(409, "name_taken", "name")
		s.as(ann, "PATCH", path, object{"poll_ids": []int64{private}}).refused(400, "invalid_parameter", "poll_ids")
		s.as(eve, "PATCH", path, object{"name": "mine"}).refused(403, "forbidden", "")
		s.as(eve, "DELETE", path, nil).refused(403, "forbidden", "")
		s.as(eve, "PATCH", fmt.Sprintf("/publishers/other/poll_sets/%v", made["id"]), object{"name": "mine"}).refused(404, "not_found", "poll_set_id")
		for _, id := range []string{"0", "x", "99999999999999999999"} {
			s.as(ann, "PATCH", sets+"/"+id, object{"name": "x"}).refused(404, "not_found", "poll_set_id")
			s.as(ann, "DELETE", sets+"/"+id, nil).refused(404, "not_found", "poll_set_id")
		}
	})
}

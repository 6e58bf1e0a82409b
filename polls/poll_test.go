package polls_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"stoa/internal/db"
)

func TestPollIsMadeUploadedAndShown(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "Ann")
		made := ann.call("POST", "/polls", object{"caption": " Tabs  or\tspaces? ", "choice1": "Tabs", "choice2": "Spaces"})
		if made.status != http.StatusCreated {
			t.Fatalf("got %d %s want 201", made.status, made.body)
		}
		draft := made.object()
		if got, want := made.header.Get("Location"), fmt.Sprint(s.service.Origin, "/api/v4", pollPath(draft)); got != want {
			t.Errorf("got Location %q want %q", got, want)
		}
		if draft["success"] != true || draft["caption"] != "Tabs  or spaces?" || draft["public"] != false || draft["private"] != false ||
			draft["image"] != nil || len(draft["images"].([]any)) != 0 || draft["voteCount"] != 0.0 {
			t.Errorf("got %s", made.body)
		}
		if got := draft["uploadData"].(object)["formData"].(object); len(got) != 6 || got["acl"] != "private" || got["Content-Type"] != "image/jpeg" {
			t.Errorf("got form %v want the six fields", got)
		}

		s.call("GET", pollPath(draft), nil).refused(404, "poll_not_found", "poll_id")
		ann.call("GET", pollPath(draft), nil).object()
		if got := s.call("GET", "/polls", nil); string(got.body) != "[]" {
			t.Errorf("got %s in the list want nothing before the image", got.body)
		}
		ann.announce(draft, nil).refused(409, "image_not_uploaded", "")

		stored := s.upload(draft, paint(1400, 350))
		if stored.status != http.StatusNoContent || !strings.HasPrefix(stored.header.Get("ETag"), `"`) ||
			!strings.HasPrefix(stored.header.Get("Location"), s.service.Origin+"/storage/uploads/000/000/") {
			t.Fatalf("got %d %v %s want 204", stored.status, stored.header, stored.body)
		}
		ann.announce(draft, object{"first_image_full_url": "https://example.com/a.jpg", "first_public_domain": true}).object()

		shown := s.call("GET", pollPath(draft), nil).object()
		picture := shown["image"].(object)
		if shown["public"] != true || len(shown["images"].([]any)) != 1 {
			t.Errorf("got %v want a public poll with an image", shown)
		}
		want := []any{object{"sortOrder": 1.0, "fullUrl": "https://example.com/a.jpg", "contextUrl": "", "publicDomain": true}}
		if got := fmt.Sprint(shown["imageSources"]); got != fmt.Sprint(want) {
			t.Errorf("got sources %v want %v", got, want)
		}
		s.isPicture(picture["url"], 640, 160)
		s.isPicture(picture["largeUrl"], 1280, 320)
		if got := s.listed("/polls"); !slices.Equal(got, []int64{pollID(draft)}) {
			t.Errorf("got %v in the list want the poll", got)
		}

		ann.announce(draft, object{"first_image_full_url": "https://example.com/b.jpg"}).object()
		if again := s.call("GET", pollPath(draft), nil).object(); fmt.Sprint(again) != fmt.Sprint(shown) {
			t.Errorf("got %v after the second announcement want nothing changed", again)
		}
		if got := s.upload(draft, somePicture); got.status != http.StatusForbidden || !strings.Contains(string(got.body), "<Code>AccessDenied</Code>") {
			t.Errorf("got %d %s want an upload after that refused", got.status, got.body)
		}
	})
}

func TestWhatAPollMustBe(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		for _, c := range []struct {
			name   string
			params object
			status int
			code   string
			field  string
		}{
			{"no caption", object{"choice1": "a", "choice2": "b"}, 422, "missing_parameter", "caption"},
			{"first fault counts", object{"choice1": []int{1}}, 422, "missing_parameter", "caption"},
			{"list as choice", object{"caption": "c", "choice1": []int{1}, "choice2": "b"}, 400, "invalid_parameter", "choice1"},
			{"blank caption", object{"caption": "  ", "choice1": "a", "choice2": "b"}, 422, "too_short", "caption"},
			{"long caption", object{"caption": strings.Repeat("é", 201), "choice1": "a", "choice2": "b"}, 422, "too_long", "caption"},
			{"control character", object{"caption": "c", "choice1": "a\x01", "choice2": "b"}, 422, "invalid_text", "choice1"},
			{"same choices", object{"caption": "c", "choice1": "Yes", "choice2": "yES"}, 422, "choices_identical", "choice2"},
			{"type of image", object{"caption": "c", "choice1": "a", "choice2": "b", "image_content_type": "image/svg+xml"}, 422, "image_invalid", "image_content_type"},
			{"private maybe", object{"caption": "c", "choice1": "a", "choice2": "b", "private": "maybe"}, 400, "invalid_parameter", "private"},
			{"bad tag", object{"caption": "c", "choice1": "a", "choice2": "b", "tags": "a b"}, 422, "invalid_text", "tags"},
			{"eleven tags", object{"caption": "c", "choice1": "a", "choice2": "b", "tags": strings.Split("abcdefghijk", "")}, 422, "too_long", "tags"},
		} {
			t.Run(c.name, func(t *testing.T) {
				got := ann.call("POST", "/polls", c.params)
				got.t = t
				got.refused(c.status, c.code, c.field)
			})
		}
		good := object{"caption": "c", "choice1": "a", "choice2": "b"}
		s.call("POST", "/polls", good).refused(401, "authentication_required", "auth_token")
		s.call("POST", "/polls", object{"anonymous_user_id": s.service.Mint()}).refused(401, "authentication_required", "auth_token")
		plantLogin(s, d, "bob", "!confirmed").call("POST", "/polls", good).refused(403, "not_confirmed", "")
		text := `<script>'; DROP TABLE polls; --"`
		if got := ann.draft(object{"caption": text})["caption"]; got != text {
			t.Errorf("got caption %q want %q", got, text)
		}
	})
}

func TestPrivatePoll(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		poll := ann.ready(object{"private": true})
		_, key, _ := strings.Cut(poll["url"].(string), "?k=")
		if len(key) != 22 || !strings.HasSuffix(poll["shortUrl"].(string), "?k="+key) {
			t.Errorf("got %v, %v want a key of 22 characters", poll["url"], poll["shortUrl"])
		}
		s.call("GET", pollPath(poll), nil).refused(404, "poll_not_found", "poll_id")
		bob.call("GET", pollPath(poll), nil).refused(404, "poll_not_found", "poll_id")
		seen := bob.call("GET", pollPath(poll), object{"poll_key": key}).object()
		if seen["public"] != false || seen["private"] != true || strings.Contains(seen["url"].(string), "?k=") {
			t.Errorf("got %v want a private poll, its key not told", seen)
		}
		s.isPicture(seen["image"].(object)["url"], 80, 40)
		bob.call("DELETE", pollPath(poll), nil).refused(404, "poll_not_found", "poll_id")
		bob.call("DELETE", pollPath(poll), object{"poll_key": key}).refused(403, "forbidden", "")

		for _, path := range []string{"/polls", "/users/ann/polls_created"} {
			if got := s.listed(path); len(got) != 0 {
				t.Errorf("got %v of %s want none", got, path)
			}
		}
		own := ann.call("GET", "/users/ANN/polls_created", nil)
		if !strings.Contains(string(own.body), "?k="+key) || own.header.Get("X-Total-Count") != "1" {
			t.Errorf("got %v %s want the own private poll with its key", own.header, own.body)
		}
	})
}

func TestDeletePoll(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob, root := plantLogin(s, d, "ann"), plantLogin(s, d, "bob"), plantLogin(s, d, "root", "operator")
		poll, other, draft := ann.ready(nil), ann.ready(nil), ann.draft(nil)
		url := s.call("GET", pollPath(poll), nil).object()["image"].(object)["url"]
		s.service.Lease(t, "house") // so that the files stay where they are

		s.call("DELETE", pollPath(poll), nil).refused(401, "authentication_required", "auth_token")
		bob.call("DELETE", pollPath(poll), nil).refused(403, "forbidden", "")
		bob.call("DELETE", pollPath(draft), nil).refused(404, "poll_not_found", "poll_id")
		bob.call("DELETE", "/polls/999999", nil).refused(404, "poll_not_found", "poll_id")
		bob.call("DELETE", "/polls/x", nil).refused(404, "poll_not_found", "poll_id")
		for range 2 {
			if got := ann.call("DELETE", pollPath(poll), nil).object(); got["success"] != true {
				t.Errorf("got %v want success", got)
			}
		}
		bob.call("DELETE", pollPath(poll), nil).refused(404, "poll_not_found", "poll_id")
		root.call("DELETE", pollPath(poll), nil).refused(404, "poll_not_found", "poll_id")
		ann.call("GET", pollPath(poll), nil).refused(404, "poll_not_found", "poll_id")
		ann.call("POST", pollPath(poll)+"/votes", object{"option": 1}).refused(404, "poll_not_found", "poll_id")
		ann.announce(poll, nil).refused(404, "poll_not_found", "poll_id")
		ann.call("POST", pollPath(poll)+"/upload_data", nil).refused(404, "poll_not_found", "poll_id")
		if got := s.listed("/polls"); !slices.Equal(got, []int64{pollID(other)}) {
			t.Errorf("got %v in the list want the other poll", got)
		}
		if got := s.fetch(url); got.status != http.StatusNotFound {
			t.Errorf("got %d for the image of a deleted poll want 404", got.status)
		}
		root.call("DELETE", pollPath(draft), nil).object()
		if got := s.upload(draft, somePicture); got.status != http.StatusForbidden {
			t.Errorf("got %d %s want an upload for a deleted poll refused", got.status, got.body)
		}
	})
}

func TestPollIsMadeOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		ask := func(caption string) answer {
			header := http.Header{"Idempotency-Key": {"k1"}, "Authorization": {"Bearer " + ann.token}, "Content-Type": {"application/x-www-form-urlencoded"}}
			return s.send("POST", "/api/v4/polls", header, strings.NewReader("choice1=a&choice2=b&caption="+caption))
		}
		first, again := ask("c"), ask("c")
		if again.status != http.StatusCreated || string(again.body) != string(first.body) || again.header.Get("Location") != first.header.Get("Location") {
			t.Errorf("got %d %v %s want %s", again.status, again.header, again.body, first.body)
		}
		ask("d").refused(409, "idempotency_conflict", "Idempotency-Key")
	})
}

package console_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"stoa/internal/db"
)

// newPoll makes a poll with a picture, as whoever the token belongs to.
func (k *desk) newPoll(token, caption string) string {
	k.t.Helper()
	header := func() http.Header { return http.Header{"Authorization": {"Bearer " + token}} }
	made := k.send("POST", "/api/v4/polls", header(), fmt.Sprintf(`{"caption":%q,"choice1":"Yes","choice2":"No","image_content_type":"image/png"}`, caption))
	if made.status != http.StatusCreated {
		k.t.Fatalf("got %d %s, want a poll", made.status, made.body)
	}
	made.status = http.StatusOK
	draft := made.object()
	k.upload(draft["uploadData"].(object))
	id := fmt.Sprint(draft["pollID"])
	k.send("POST", "/api/v4/polls/"+id+"/image_uploaded", header(), fmt.Sprintf(`{"image_id":%v}`, draft["imageID"])).object()
	return id
}

// upload sends a picture of a few points.
func (k *desk) upload(to object) {
	k.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range to["formData"].(object) {
		_ = form.WriteField(name, fmt.Sprint(value))
	}
	file, _ := form.CreateFormFile("file", "p.png")
	if err := png.Encode(file, image.NewGray(image.Rect(0, 0, 32, 24))); err != nil {
		k.t.Fatal(err)
	}
	_ = form.Close()
	w, err := k.server.Client().Post(to["postUrl"].(string), form.FormDataContentType(), &body)
	if err != nil {
		k.t.Fatal(err)
	}
	defer w.Body.Close()
	if w.StatusCode >= 300 {
		k.t.Fatalf("got %s for an upload", w.Status)
	}
}

func TestOperatorFindsHidesAndShowsAPoll(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		ann := k.logIn("ann", false)
		poll := k.newPoll(ann, "Tabs or spaces?")
		public := func() int { return k.send("GET", "/api/v4/polls/"+poll, http.Header{}, "").status }
		k.send("POST", "/api/v4/polls/"+poll+"/comments", http.Header{"Authorization": {"Bearer " + ann}}, `{"body":"hm"}`)

		found := func(query string) int { return len(k.ask("GET", "/polls?"+query, "").object()["polls"].([]any)) }
		for query, want := range map[string]int{"text=TABS": 1, "text=none": 0, "creator=ann&state=shown": 1, "state=hidden": 0, "creator=ann&before=1": 0} {
			if got := found(query); got != want {
				t.Errorf("%s: got %d, want %d", query, got, want)
			}
		}
		hidden := k.ask("PUT", "/polls/"+poll+"/hidden", `{"hidden":true}`).object()
		if hidden["state"] != "hidden" || hidden["hiddenBy"] != "operator" || hidden["hiddenAt"] == nil || public() != 404 || found("state=hidden") != 1 {
			t.Errorf("got %v and %d, want it hidden", hidden, public())
		}
		if got := k.ask("GET", "/polls/"+poll, "").object(); got["state"] != "hidden" || len(got["places"].([]any)) != 0 {
			t.Errorf("got %v, want the hidden poll", got)
		}
		if got := k.ask("GET", "/polls/"+poll+"/picture", ""); got.status != 200 || !strings.HasPrefix(got.header.Get("Content-Type"), "image/") || len(got.body) == 0 {
			t.Errorf("got %d %v, want its picture", got.status, got.header)
		}
		if got := k.ask("GET", "/polls/"+poll+"/comments", "").object()["comments"].([]any); len(got) != 1 {
			t.Errorf("got %v, want the comment", got)
		}
		if shown := k.ask("PUT", "/polls/"+poll+"/hidden", `{"hidden":false}`).object(); shown["state"] != "shown" || shown["hiddenBy"] != "" || public() != 200 {
			t.Errorf("got %v and %d, want it shown", shown, public())
		}
		k.ask("GET", "/polls?limit=0", "").refused(400, "invalid")
		k.ask("GET", "/polls?limit=x", "").refused(400, "invalid")
		k.ask("GET", "/polls?state=gone", "").refused(400, "invalid")
		k.ask("GET", "/polls?creator=nobody", "").refused(404, "not_found")
		k.ask("PUT", "/polls/"+poll+"/hidden", `{}`).refused(400, "invalid")
		for _, path := range []string{"/polls/9999", "/polls/x", "/polls/9999/votes", "/polls/9999/comments", "/polls/9999/picture"} {
			k.ask("GET", path, "").refused(404, "not_found")
		}
	})
}

func TestOperatorSeesStatisticsOfPolls(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		poll := k.newPoll(k.token, "Tabs or spaces?")
		k.send("POST", "/api/v4/polls/"+poll+"/votes", http.Header{"Authorization": {"Bearer " + k.token}}, `{"option":2}`)
		got := k.ask("GET", "/statistics/polls?days=3", "").object()
		days, totals := got["days"].([]any), got["totals"].(object)
		var votes, accounts float64
		for _, day := range days { // midnight may have passed
			votes += day.(object)["votes"].(float64)
			accounts += day.(object)["accounts"].(float64)
		}
		if len(days) != 3 || votes != 1 || accounts != 1 || totals["polls"] != 1.0 || totals["votes"] != 1.0 {
			t.Errorf("got %v, want one vote, one account, one poll", got)
		}
		spans := k.ask("GET", "/polls/"+poll+"/votes", "").object()["spans"].([]any)
		if len(spans) != 1 || fmt.Sprint(spans[0].(object)["votes"]) != "[0 1]" {
			t.Errorf("got %v, want the vote for the second choice", spans)
		}
		k.ask("GET", "/statistics/polls?days=999", "").refused(400, "invalid")
		k.ask("GET", "/statistics/polls?publisher=none", "").refused(404, "not_found")
	})
}

func TestOperatorManagesATeam(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		k := newDesk(t, d)
		k.logIn("ann", false)
		k.logIn("bob", false)
		made := k.ask("POST", "/publishers", `{"name":"gazette","displayName":"The Gazette","owner":"ann"}`)
		if made.status != http.StatusCreated {
			t.Fatalf("got %d %s, want a publisher", made.status, made.body)
		}
		k.ask("POST", "/publishers", `{"name":"gazette","displayName":"Again","owner":"bob"}`).refused(409, "conflict")
		add := k.ask("POST", "/publishers/gazette/members", `{"username":"bob"}`)
		if add.status != http.StatusNoContent {
			t.Errorf("got %d %s, want bob in", add.status, add.body)
		}
		members := func() []any { return k.ask("GET", "/publishers/gazette", "").object()["members"].([]any) }
		if got := members(); len(got) != 2 || got[0].(object)["owner"] != true || got[1].(object)["username"] != "bob" {
			t.Errorf("got %v, want ann and bob", got)
		}
		k.ask("DELETE", "/publishers/gazette/members/ann", "").refused(403, "forbidden")
		for _, name := range []string{"bob", "ann"} {
			if got := k.ask("DELETE", "/publishers/gazette/members/"+name, ""); got.status != http.StatusNoContent {
				t.Errorf("got %d %s, want %s out", got.status, got.body, name)
			}
		}
		k.ask("DELETE", "/publishers/gazette/members/bob", "").refused(404, "not_found")
		list := k.ask("GET", "/publishers", "").object()
		if got := list["publishers"].([]any); len(got) != 1 || got[0].(object)["members"] != 0.0 || list["next"] != nil {
			t.Errorf("got %v, want one without members", list)
		}
		k.ask("GET", "/publishers/none", "").refused(404, "not_found")
		k.ask("POST", "/publishers/gazette/members", `{"username":"nobody"}`).refused(404, "not_found")
	})
}

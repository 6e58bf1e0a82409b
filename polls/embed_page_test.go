package polls_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"stoa/internal/db"
	"stoa/polls"
)

const iframe = "/publishers/acme/embedded_polls/iframe"

// page loads the embed page of acme.
func (s *site) page(query string) answer {
	s.t.Helper()
	return s.send("GET", iframe+query, nil, nil)
}

// shown checks that the answer is the page of a poll.
func (a answer) shown(poll int64) answer {
	a.t.Helper()
	if got := a.field("poll_id"); a.status != 200 || got != fmt.Sprint(poll) {
		a.t.Errorf("got %d and poll %q want the page of poll %d", a.status, got, poll)
	}
	return a
}

// problem checks that the answer is the page for what cannot be shown.
func (a answer) problem(status int) {
	a.t.Helper()
	if a.status != status || !strings.Contains(string(a.body), "<h1") || strings.Contains(string(a.body), "<form") {
		a.t.Errorf("got %d %s want a page with %d", a.status, a.body, status)
	}
	a.framed()
}

// framed checks what every page in an iframe has.
func (a answer) framed() {
	a.t.Helper()
	policy := a.header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "frame-ancestors *") || !strings.Contains(policy, "'nonce-") || a.header.Get("X-Frame-Options") != "" {
		a.t.Errorf("got headers %v want a page that any site may frame", a.header)
	}
	if a.header.Get("Content-Type") != "text/html; charset=utf-8" || a.header["Set-Cookie"] != nil || a.header.Get("X-Content-Type-Options") != "nosniff" {
		a.t.Errorf("got headers %v want HTML without a cookie", a.header)
	}
}

var embedToken = regexp.MustCompile(`<html[^>]* data-embed-token="([A-Za-z0-9_-]+)"`)

// token is the one in the page's root element, empty when there is none.
func (a answer) token() string {
	a.t.Helper()
	if a.status != 200 {
		a.t.Fatalf("got %d %s want the page", a.status, a.body)
	}
	if found := embedToken.FindSubmatch(a.body); found != nil {
		return string(found[1])
	}
	return ""
}

// field is the value of a hidden field.
func (a answer) field(name string) string {
	found := regexp.MustCompile(`<input type="hidden" name="` + name + `" value="([^"]*)"`).FindSubmatch(a.body)
	if found == nil {
		return ""
	}
	return html.UnescapeString(string(found[1]))
}

// post sends the form of a page, with what a reader does.
func (s *site) post(path string, page answer, fields url.Values) answer {
	s.t.Helper()
	for _, name := range []string{"poll_id", "anonymous_user_id", "embed_token", "view_id"} {
		if !fields.Has(name) {
			fields.Set(name, page.field(name))
		}
	}
	return s.send("POST", path, http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, strings.NewReader(fields.Encode()))
}

func TestEmbedPageShowsItsTarget(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		own, other, third := plantPollOf(t, d, ann.id), plantPoll(t, d), plantPoll(t, d)
		set := plantSet(s, ann, "week", other, own)
		plantTag(t, d, "food", own, other, third)
		s.as(ann, "PUT", "/publishers/acme/placements/front", object{"poll_id": own}).object()
		for query, poll := range map[string]int64{
			fmt.Sprintf("?poll_id=%d", own):      own,
			fmt.Sprintf("?poll_id=%d", other):    other,
			fmt.Sprintf("?pollset_id=%d", set):   other, // the first
			"?pollset_id=week":                   other,
			"?tag=food":                          third, // the newest
			"?tag=%23Food&theme=dark&lang=de":    third,
			"?placement=front":                   own,
			"?placement=front&name=unknown":      own,
			fmt.Sprintf("?poll_id=%d&tag=", own): own,
		} {
			page := s.page(query).shown(poll)
			page.framed()
			if page.field("anonymous_user_id") == "" || page.field("view_id") == "" || page.field("embed_token") != page.token() {
				t.Errorf("got %s want a form with who votes and through what", page.body)
			}
		}
		if german := s.page("?tag=food&lang=de&theme=dark"); !strings.Contains(string(german.body), `<html lang="de" dir="ltr" data-theme="dark"`) {
			t.Errorf("got %.200s want a dark page in German", german.body)
		}
		s.send("GET", fmt.Sprintf("/embed/poll/%d", other), nil, nil).shown(other).framed()
		head := s.send("HEAD", fmt.Sprintf("%s?poll_id=%d", iframe, own), nil, nil)
		if head.status != 200 || len(head.body) != 0 {
			t.Errorf("got %d %s want the headers only", head.status, head.body)
		}
		head.framed()
	})
}

func TestEmbedPageIsRefused(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		poll, private, unready, gone := plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id)
		set := plantSet(s, ann, "week", gone)
		exec(t, d, "UPDATE polls SET private = TRUE WHERE id = $1", private)
		exec(t, d, "UPDATE polls SET state = 0 WHERE id = $1", unready)
		s.as(ann, "PUT", "/publishers/acme/placements/gone", object{"poll_id": gone}).object()
		exec(t, d, "UPDATE polls SET state = 2 WHERE id = $1", gone)
		for query, status := range map[string]int{
			"":            400,
			"?poll_id=":   400,
			"?poll_set=1": 400,
			fmt.Sprintf("?poll_id=%d&tag=food", poll): 400,
			"?poll_id=1&poll_id=2":                    400,
			"?tag=%ff":                                400,
			"?poll_id=999999":                         404,
			"?poll_id=x":                              404,
			"?pollset_id=77":                          404,
			"?pollset_id=none":                        404,
			"?tag=unused":                             404,
			"?tag=two+words":                          404,
			"?placement=none":                         404,
			"?placement=gone":                         404,
			fmt.Sprintf("?pollset_id=%d", set):        404, // nothing is left of it
			fmt.Sprintf("?poll_id=%d", private):       404,
			fmt.Sprintf("?poll_id=%d", unready):       404,
			fmt.Sprintf("?poll_id=%d", gone):          404,
		} {
			s.page(query).problem(status)
			s.send("POST", iframe+query, nil, nil).problem(status)
		}
		s.send("GET", strings.Replace(iframe, "acme", "none", 1)+fmt.Sprintf("?poll_id=%d", poll), nil, nil).problem(404)
		s.send("GET", "/embed/poll/x", nil, nil).problem(404)
		s.send("GET", fmt.Sprintf("/embed/poll/%d", private), nil, nil).problem(404)
		s.send("POST", fmt.Sprintf("%s?poll_id=%d", iframe, poll), http.Header{"Content-Type": {"image/png"}}, strings.NewReader("x")).problem(415)
		if total, _ := s.numbers(); total["embeds_count"] != 0.0 {
			t.Errorf("got %v want no embed of what cannot be shown", total)
		}
		if a := s.send("PUT", iframe, nil, nil); a.status != 405 || a.header.Get("Allow") != "GET, HEAD, POST" {
			t.Errorf("got %d, allowed %q", a.status, a.header.Get("Allow"))
		}
	})
}

func TestEmbedsComeIntoBeing(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		eve := plantAccount(t, d, "eve")
		own, short, foreign := plantPollOf(t, d, ann.id), plantPollOf(t, d, ann.id), plantPollOf(t, d, eve.id)
		set := plantSet(s, ann, "week", own)
		tag := plantTag(t, d, "food", own)
		s.as(eve, "POST", "/publishers", object{"name": "eves", "display_name": "Eve's"}).object()
		eves := s.as(eve, "POST", "/publishers/eves/poll_sets", object{"name": "x", "display_name": "X", "poll_ids": []int64{own}}).object()["id"]
		s.as(ann, "PUT", "/publishers/acme/placements/front", object{"tag": "food"}).object()

		for _, silent := range []string{fmt.Sprintf("?poll_id=%d", foreign), "?tag=food", fmt.Sprintf("?pollset_id=%v", eves)} {
			if got := s.page(silent).token(); got != "" {
				t.Errorf("got token %s for %s want none", got, silent)
			}
		}
		if total, _ := s.numbers(); total["embeds_count"] != 0.0 {
			t.Errorf("got %v want no embeds", total)
		}
		for _, told := range []string{
			fmt.Sprintf("?poll_id=%d", own), fmt.Sprintf("?poll_id=%d&name=made-up", own),
			fmt.Sprintf("?pollset_id=%d", set), "?placement=front",
		} {
			if s.page(told).token() == "" {
				t.Errorf("got no token for %s", told)
			}
		}
		s.send("GET", fmt.Sprintf("/embed/poll/%d", short), nil, nil).token()
		_, by := s.numbers()
		for _, name := range []string{
			fmt.Sprintf("poll-%d poll %d", own, own), fmt.Sprintf("poll-%d poll %d", short, short),
			fmt.Sprintf("set-week poll_set %d", set), fmt.Sprintf("front tag %d", tag),
		} {
			if by[name] == nil || len(by) != 4 {
				t.Errorf("got %v want four embeds with %s", by, name)
			}
		}

		// What the team makes records, by its name or by the default.
		s.as(ann, "POST", embeds, object{"poll_id": foreign, "embed_name": "Side bar"}).object()
		if s.page(fmt.Sprintf("?poll_id=%d", foreign)).token() != "" {
			t.Error("got a token for an embed of another name")
		}
		page := s.page(fmt.Sprintf("?poll_id=%d&name=Side+bar", foreign))
		s.vote(foreign, object{"option": 1, "anonymous_user_id": s.service.Mint(), "embed_token": page.token(), "view_id": page.field("view_id")})
		if _, by := s.numbers(); by[fmt.Sprintf("Side bar poll %d", foreign)]["votes"] != 1.0 {
			t.Errorf("got %v want a vote in the side bar", by)
		}
	})
}

func TestPlacementSwitches(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		first, second := plantPollOf(t, d, ann.id), plantPoll(t, d)
		const slot = "/publishers/acme/placements/front"
		made := s.as(ann, "PUT", slot, object{"poll_id": first}).object()
		if made["success"] != true || made["placement"] != "front" || !strings.Contains(made["script"].(string), `data-placement="front"`) {
			t.Errorf("got %v want the placement with its snippets", made)
		}
		old := s.page("?placement=front").shown(first)
		s.as(ann, "PUT", slot, object{"poll_id": second}).object()
		s.page("?placement=FRONT").shown(second)
		for _, poll := range []int64{first, second} { // the old page is still open somewhere
			s.vote(poll, object{"option": 1, "anonymous_user_id": s.service.Mint(), "embed_token": old.token(), "view_id": old.field("view_id")})
		}
		_, by := s.numbers()
		if by[fmt.Sprintf("front poll %d", first)]["votes"] != 1.0 || by[fmt.Sprintf("front poll %d", second)]["votes"] != 0.0 {
			t.Errorf("got %v want an embed for each target", by)
		}
		a := s.post(iframe+"?placement=front", old, url.Values{"action": {"vote"}, "option": {"1"}})
		if a.status != 404 || a.field("poll_id") != fmt.Sprint(second) {
			t.Errorf("got %d and poll %s want to be told, with the new poll", a.status, a.field("poll_id"))
		}
		slots, err := s.service.Placements(t.Context(), "acme")
		if err != nil || len(slots) != 1 || slots[0].Target.ID != second || slots[0].Target.Title != "Tabs or spaces?" || slots[0].Iframe == "" {
			t.Errorf("got %+v, %v want the placement", slots, err)
		}
	})
}

// A page must not let cookies speak, nor clear or set them.
func TestEmbedPageHasNoCookies(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s, ann := newPublisher(t, d)
		path := fmt.Sprintf("%s?poll_id=%d", iframe, plantPollOf(t, d, ann.id))
		header := http.Header{"Cookie": {"stoa_session=stale; stoa_viewer=stale"}, "Sec-Fetch-Site": {"same-origin"}}
		s.send("GET", path, header, nil).framed()
		s.send("POST", path, header, nil).framed()
	})
}

func TestStagingPageSaysSo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d, func(o *polls.Options) { o.Environment = "staging" })
		a := s.send("GET", fmt.Sprintf("/embed/poll/%d", plantPoll(t, d)), nil, nil)
		if !strings.Contains(string(a.body), `<p class="environment">staging`) || a.header.Get("X-Environment") != "staging" {
			t.Errorf("got %.600s want the banner", a.body)
		}
	})
}

func TestLoaderForEverySite(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		a := s.send("GET", "/assets/embed.js", nil, nil)
		if a.status != 200 || a.header.Get("Content-Type") != "text/javascript; charset=utf-8" || a.header.Get("Access-Control-Allow-Origin") != "*" || len(a.body) == 0 {
			t.Errorf("got %d %v want the script", a.status, a.header)
		}
		again := s.send("GET", "/assets/embed.js", http.Header{"If-None-Match": {a.header.Get("ETag")}}, nil)
		if again.status != 304 || len(again.body) != 0 {
			t.Errorf("got %d want 304", again.status)
		}
		if head := s.send("HEAD", "/assets/embed.js", nil, nil); head.status != 200 {
			t.Errorf("got %d want 200", head.status)
		}
	})
}

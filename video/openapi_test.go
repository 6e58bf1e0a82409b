package video_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"stoa/internal/db"
	"stoa/video"
)

func readDescription(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return doc
}

// forPeople are routes that are no part of the API: pages, files whose addresses are
// in its answers, and health; and what browsers publish by, which has a description of
// its own, RFC 9725.
var forPeople = regexp.MustCompile(`^(GET /(docs|healthz|readyz|vod|live|player|logo)|\w+ /whip)(/|$)`)

func TestRoutesAndDescriptionAgree(t *testing.T) {
	t.Parallel()
	parameter := regexp.MustCompile(`\{\w+\}`) // its name does not matter
	var offered, operations []string
	for _, pattern := range video.Patterns() {
		offered = append(offered, parameter.ReplaceAllString(pattern, "{}"))
	}
	for _, operation := range described().Operations() {
		operations = append(operations, parameter.ReplaceAllString(operation, "{}"))
	}
	for _, route := range offered {
		if !forPeople.MatchString(route) && !slices.Contains(operations, route) {
			t.Errorf("openapi.yaml does not describe %s", route)
		}
	}
	for _, operation := range operations {
		if !slices.Contains(offered, operation) {
			t.Errorf("openapi.yaml describes %s, which is not offered", operation)
		}
	}
}

// validated asks a site, and has a validator that others use too check the request
// and the answer against the description.
type validated struct {
	*site
	router routers.Router
}

func newValidated(t *testing.T, s *site) validated {
	t.Helper()
	router, err := legacy.NewRouter(readDescription(t))
	if err != nil {
		t.Fatal(err)
	}
	return validated{s, router}
}

// ask is a good request, and the answer that it wants.
func (v validated) ask(method, path string, body any, status int) object {
	v.t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		v.t.Fatal(err)
	}
	a := v.call(method, path, body)
	r, err := http.NewRequestWithContext(v.t.Context(), method, path, bytes.NewReader(sent))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	route, names, err := v.router.FindRoute(r)
	if err != nil {
		v.t.Fatalf("%s %s: %v", method, path, err)
	}
	request := &openapi3filter.RequestValidationInput{
		Request: r, Route: route, PathParams: names,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if err := openapi3filter.ValidateRequest(v.t.Context(), request); status < 400 && err != nil {
		v.t.Errorf("%s %s: the request is not as described: %v", method, path, err)
	}
	response := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: request, Status: a.status, Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body)),
	}
	if err := openapi3filter.ValidateResponse(v.t.Context(), response); err != nil {
		v.t.Errorf("%s %s: the answer is not as described: %v", method, path, err)
	}
	return a.want(status)
}

func TestVideosAreAsDescribed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		v := newValidated(t, newSite(t, d, restorable))
		id := v.ask("POST", "/videos", object{
			"title": "x", "tags": []string{"a"}, "metadata": []object{{"key": "k", "value": "v"}}, "language": "no", "public": false,
			"clip": object{"startTimecode": "00:00:01.5", "endTimecode": "90"},
		}, 201)["videoId"].(string)
		v.ask("POST", "/videos", object{"title": "x", "source": id}, 202)
		v.ask("POST", "/videos", object{"title": ""}, 400)
		v.ask("GET", "/videos?title=X&tags%5B%5D=a&metadata%5Bk%5D=v&sortBy=title&sortOrder=asc&pageSize=1", nil, 200)
		v.ask("GET", "/videos?pageSize=0", nil, 400)
		v.ask("GET", "/videos/"+id, nil, 200)
		v.ask("GET", "/tags", nil, 200)
		v.ask("GET", "/videos/vi"+strings.Repeat("0", 22), nil, 404)
		v.ask("PATCH", "/videos/"+id, object{"playerId": nil, "language": nil, "description": nil, "tags": nil, "metadata": nil, "title": "y"}, 200)
		v.ask("GET", "/videos/"+id+"/status", nil, 200)
		summary := v.ask("POST", "/summaries", object{"videoId": id}, 201)["summaryId"].(string)
		v.ask("POST", "/summaries", object{"videoId": id, "origin": "auto", "attributes": []string{"abstract"}}, 409)
		v.ask("GET", "/summaries?sourceStatus=missing", nil, 200)
		v.ask("PATCH", "/summaries/"+summary+"/source", object{"abstract": "x", "takeaways": []string{"y"}}, 201)
		v.ask("GET", "/summaries/"+summary+"/source", nil, 200)
		v.ask("DELETE", "/summaries/"+summary, nil, 204)
		v.ask("DELETE", "/videos/"+id, nil, 204)
		v.ask("GET", "/discarded/videos", nil, 200)
		v.ask("GET", "/discarded/videos/"+id, nil, 200)
		v.ask("PATCH", "/discarded/videos/"+id, object{"discarded": false}, 200)
	})
}

func TestLiveStreamsAreAsDescribed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		v := newValidated(t, newSite(t, d))
		target := object{"name": "Elsewhere", "serverUrl": "rtmps://live.example:443/app", "streamKey": "k"}
		live := "/live-streams/" + v.ask("POST", "/live-streams", object{
			"name": "x", "public": false, "restreams": []object{target},
		}, 200)["liveStreamId"].(string)
		v.ask("POST", "/live-streams", object{"name": "", "restreams": []object{{}}}, 400)
		v.ask("GET", "/live-streams?name=X&sortBy=updatedAt&sortOrder=asc&pageSize=1", nil, 200)
		v.ask("GET", "/live-streams?pageSize=0", nil, 400)
		v.ask("GET", live, nil, 200)
		v.ask("PATCH", live, object{"name": "y", "public": true, "playerId": nil, "restreams": nil}, 200)
		v.ask("PATCH", live, object{"public": nil}, 400)
		v.ask("DELETE", live+"/thumbnail", nil, 200)
		v.ask("PUT", live+"/complete", nil, 202)
		v.ask("DELETE", live, nil, 204)
		v.ask("GET", live, nil, 404)
	})
}

func TestTheRestIsAsDescribed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		v := newValidated(t, newSite(t, d))
		tokens := v.ask("POST", "/auth/api-key", object{"apiKey": v.key}, 200)
		v.ask("POST", "/auth/refresh", object{"refreshToken": tokens["refresh_token"]}, 200)
		v.ask("POST", "/auth/refresh", object{"refreshToken": tokens["refresh_token"]}, 400)
		token := v.ask("POST", "/upload-tokens", object{"ttl": 60}, 200)["token"].(string)
		v.ask("GET", "/upload-tokens?sortBy=ttl", nil, 200)
		v.ask("GET", "/upload-tokens/"+token, nil, 200)
		v.ask("DELETE", "/upload-tokens/"+token, nil, 204)
		player := "/players/" + v.ask("POST", "/players", object{"name": "Evening", "trackPlayed": "rgba(255, 120, 0, 1)"}, 201)["playerId"].(string)
		v.ask("PATCH", player, object{"hideTitle": true}, 200)
		v.ask("GET", player, nil, 200)
		v.ask("GET", "/players?sortBy=name", nil, 200)
		v.ask("DELETE", player, nil, 204)
		v.ask("GET", "/watermarks?sortBy=createdAt&sortOrder=asc", nil, 200)
		hook := v.ask("POST", "/webhooks", object{"events": []string{"video.encoding.quality.completed"}, "url": "https://example.com/hook"}, 201)
		v.ask("GET", "/webhooks?events=video.encoding.quality.completed", nil, 200)
		v.ask("GET", "/webhooks/"+hook["webhookId"].(string), nil, 200)
		v.ask("DELETE", "/webhooks/"+hook["webhookId"].(string), nil, 204)
		id := v.ask("POST", "/videos", object{"title": "x"}, 201)["videoId"].(string)
		v.ask("PATCH", "/videos/"+id+"/thumbnail", object{"timecode": "00:00:01"}, 200)
		v.ask("GET", "/videos/"+id+"/captions", nil, 200)
		v.ask("GET", "/videos/"+id+"/chapters", nil, 200)
		v.ask("GET", "/videos/"+id+"/captions/en", nil, 404)
	})
}

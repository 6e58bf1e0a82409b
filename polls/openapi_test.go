package polls_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"stoa/internal/db"
	"stoa/polls"
)

// parameterName is a name in a path. Routes and description may differ in it.
var parameterName = regexp.MustCompile(`\{[a-z_]+\}`)

func TestRoutesAndDescriptionAgree(t *testing.T) {
	t.Parallel()
	var routes, operations []string
	for _, pattern := range polls.Patterns() {
		_, path, _ := strings.Cut(pattern, " ")
		if strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, "/storage/") {
			routes = append(routes, parameterName.ReplaceAllString(pattern, "{}"))
		}
	}
	for _, pattern := range described().Operations() {
		operations = append(operations, parameterName.ReplaceAllString(pattern, "{}"))
	}
	slices.Sort(operations)
	for _, route := range routes {
		if !slices.Contains(operations, route) {
			t.Errorf("openapi.yaml does not describe %s", route)
		}
	}
	for _, operation := range operations {
		if !slices.Contains(routes, operation) {
			t.Errorf("openapi.yaml describes %s, which is not offered", operation)
		}
	}
}

func TestDescriptionNamesEveryErrorCode(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("internal/wire/code.go")
	if err != nil {
		t.Fatal(err)
	}
	schemas := described().Root["components"].(object)["schemas"].(object)
	var codes []string
	for _, code := range schemas["ErrorCode"].(object)["enum"].([]any) {
		codes = append(codes, code.(string))
	}
	var want []string
	for _, m := range regexp.MustCompile(`Code = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		want = append(want, m[1])
	}
	if len(want) == 0 || !slices.Equal(codes, want) {
		t.Errorf("got codes %q want %q", codes, want)
	}
}

func TestDescriptionNamesWhatAnOperationRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ method, path, status, code string }{
		{"delete", "/votes/remove", "400", "ambiguous_identity"},
		{"delete", "/votes/remove", "409", "poll_not_ready"},
		{"post", "/upload_data", "403", "forbidden"},
		{"post", "/upload_data", "422", "image_invalid"},
	} {
		operation := described().Root["paths"].(object)["/api/v4/polls/{poll_id}"+test.path].(object)[test.method].(object)
		response, _ := operation["responses"].(object)[test.status].(object)
		if text, _ := response["description"].(string); !strings.Contains(text, "`"+test.code+"`") {
			t.Errorf("%s %s: got %q of %s want %s in it", test.method, test.path, text, test.status, test.code)
		}
	}
}

// TestRequestsAndAnswersAreAsDescribed goes through the API with a validator that
// others use too: their tools read the file as it does.
func TestRequestsAndAnswersAreAsDescribed(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := &validated{site: newSite(t, d), router: openAPIRouter(t)}
		ann := s.call("POST", "/api/v4/users", object{"username": "ann", "email": "ann@stoa.test", "password": "correct horse"})
		token := ann.object()["authToken"]
		s.call("POST", "/api/v4/users/authenticate", object{"email_or_username": "ANN", "password": "correct horse"})
		s.call("PATCH", "/api/v4/users/me", object{"about": "I ask.", "auth_token": token})
		id := s.call("GET", "/api/v4/users/me", nil).object()["anonymousUserID"]
		created := s.call("POST", "/api/v4/polls", object{"caption": "Tea?", "choice1": "Yes", "choice2": "No", "tags": []string{"drinks"}, "auth_token": token})
		tea := fmt.Sprintf("/api/v4/polls/%.0f", created.object()["pollID"])
		s.call("POST", tea+"/upload_data", object{"image_content_type": "image/png", "auth_token": token})
		s.call("POST", tea+"/image_uploaded", object{"image_id": created.object()["imageID"], "auth_token": token}).refused(409, "image_not_uploaded", "")
		s.call("DELETE", tea, object{"auth_token": token})
		poll := "/api/v4/polls/" + strconv.FormatInt(plantPoll(t, d), 10)
		s.call("POST", poll+"/votes", object{"option": 2, "anonymous_user_id": id})
		s.call("POST", poll+"/votes", object{"option": 1, "auth_token": token})
		s.call("GET", poll, nil)
		s.call("GET", "/api/v4/polls", nil)
		s.call("GET", "/api/v4/users/planter/polls_created", nil)
		s.call("GET", "/api/v4/users/planter/poll_ids_created", nil)
		s.call("DELETE", poll+"/votes/remove", object{"anonymous_user_id": id})
		s.call("POST", poll+"/comments", object{"body": "Tabs.", "auth_token": token})
		s.call("POST", poll+"/favorite", object{"auth_token": token})
		s.call("GET", "/api/v4/users/ann", nil)
		s.call("POST", "/api/v4/publishers", object{"name": "acme", "display_name": "Acme", "auth_token": token})
		s.call("GET", "/api/v4/publishers/acme/stats", nil)
		s.call("POST", "/api/v4/users/sign_out", object{"auth_token": token})
	})
}

// validated asks a site and has request and answer checked by kin-openapi.
type validated struct {
	site   *site
	router routers.Router
}

func openAPIRouter(t *testing.T) routers.Router {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return router
}

func (s *validated) call(method, path string, params object) answer {
	t := s.site.t
	t.Helper()
	var sent []byte
	header := http.Header{}
	if params != nil {
		var err error
		if sent, err = json.Marshal(params); err != nil {
			t.Fatal(err)
		}
		header.Set("Content-Type", "application/json")
	}
	a := s.site.send(method, path, header, bytes.NewReader(sent))
	r, err := http.NewRequestWithContext(context.Background(), method, path, bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	route, names, err := s.router.FindRoute(r)
	if err != nil {
		t.Fatalf("%s %s: %v", method, path, err)
	}
	request := &openapi3filter.RequestValidationInput{
		Request: r, Route: route, PathParams: names,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if err := openapi3filter.ValidateRequest(t.Context(), request); err != nil {
		t.Errorf("%s %s: the request is not as described: %v", method, path, err)
	}
	response := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: request, Status: a.status, Header: a.header, Body: io.NopCloser(bytes.NewReader(a.body)),
	}
	if err := openapi3filter.ValidateResponse(t.Context(), response); err != nil {
		t.Errorf("%s %s: the answer is not as described: %v", method, path, err)
	}
	return a
}

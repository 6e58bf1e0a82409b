package openapitest_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"stoa/internal/openapitest"
)

const shop = `
paths:
  /things/{id}:
    parameters: []
    get:
      responses:
        "200": {content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
        "204": {description: Nothing.}
        default: {$ref: "#/components/responses/Error"}
components:
  responses:
    Error: {content: {application/json: {schema: {type: object, properties: {error: {type: string}}}}}}
  schemas:
    Thing: {type: object, required: [id], properties: {id: {type: integer}, size: {type: object, properties: {cm: {type: number}}}}}
`

// faults counts what a check finds.
type faults struct {
	testing.TB
	found int
}

func (f *faults) Errorf(string, ...any) { f.found++ }
func (f *faults) Helper()               {}

func TestAnswersThatAreNotDescribed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "openapi.yaml")
	if err := os.WriteFile(file, []byte(shop), 0o600); err != nil {
		t.Fatal(err)
	}
	d := openapitest.Load(file)
	for _, test := range []struct {
		name, path string
		status     int
		kind, body string
		want       int // faults
	}{
		{"as described", "/things/1", 200, "application/json", `{"id": 1, "size": {"cm": 2.5}}`, 0},
		{"without a body", "/things/1", 204, "", "", 0},
		{"an error", "/things/1", 404, "application/json; charset=utf-8", `{"error": "gone"}`, 0},
		{"not described at all", "/else", 200, "text/plain", "hello", 0},
		{"a member too many", "/things/1", 200, "application/json", `{"id": 1, "name": "x"}`, 1},
		{"a member too many further down", "/things/1", 200, "application/json", `{"id": 1, "size": {"inch": 1}}`, 1},
		{"a member missing", "/things/1", 200, "application/json", `{}`, 1},
		{"another type", "/things/1", 200, "application/json", `{"id": "1"}`, 1},
		{"another status", "/things/1", 201, "application/json", `{"id": 1}`, 1},
		{"another kind", "/things/1", 200, "text/plain", `{"id": 1}`, 1},
		{"a body too many", "/things/1", 204, "application/json", `{}`, 1},
		{"an error of another shape", "/things/1", 500, "application/json", `{"message": "x"}`, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := &faults{TB: t}
			d.Check(found, httptest.NewRequest("GET", test.path, nil),
				openapitest.Answer{Status: test.status, Header: http.Header{"Content-Type": {test.kind}}, Body: []byte(test.body)})
			if found.found != test.want {
				t.Errorf("got %d faults want %d", found.found, test.want)
			}
		})
	}
}

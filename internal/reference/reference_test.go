package reference_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/internal/reference"
)

const shop = `openapi: 3.1.0
info:
  description: |
    A shop that sells <things>.

    ## Begin

    - Ask for ` + "`/things`" + `,
      then
    - buy.

    ` + "```" + `
    curl https://shop.example/things?a=1&b=2
    ` + "```" + `
security: [{}]
tags: [{name: Things, description: What is sold.}]
paths:
  /things/{id}:
    parameters: [{$ref: "#/components/parameters/ID"}]
    get:
      operationId: getThing
      tags: [Things]
      summary: One thing
      parameters: [{name: colour, in: query, schema: {type: string, enum: [red, blue]}, example: red}]
      responses:
        "200": {description: The thing., content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
        "404": {$ref: "#/components/responses/Error", description: "` + "`gone`" + `: it was sold."}
    put:
      operationId: setThing
      tags: [Things]
      summary: Change a thing
      security: [{bearer: []}]
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {$ref: "#/components/schemas/NewThing"}}}}
      responses: &errors {default: {$ref: "#/components/responses/Error"}}
    patch:
      operationId: mendThing
      tags: [Things]
      summary: Mend a thing
      security: [{key: []}, {bearer: []}]
      requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/NewThing"}}}}
      responses: *errors
    delete:
      operationId: breakThing
      tags: [Things]
      summary: Break a thing
      security: []
      responses: *errors
components:
  securitySchemes:
    key: {type: http, scheme: basic, x-who: a key, x-curl: "-u $KEY:"}
    bearer: {type: http, scheme: bearer, x-who: an account, x-curl: '-H "Authorization: Bearer $TOKEN"'}
  parameters:
    ID: {name: id, in: path, required: true, description: Which., schema: {type: integer}, example: 7}
  responses:
    Error: {description: It failed.}
  schemas:
    Thing: {type: object, example: {id: 7, "name": "A \"good\" <lamp>", sizes: [1, 2.5], sold: false, owner: null}}
    NewThing:
      allOf: [{$ref: "#/components/schemas/Named"}, {required: [name]}]
      example: {name: It's & that, sizes: [1, 2]}
    Named: {properties: {name: {type: string}, sizes: {type: [array, string]}}}
`

var served = reference.Service{Origin: "http://shop.test", Example: "https://shop.example", Files: "/openapi/shop"}

func TestPage(t *testing.T) {
	t.Parallel()
	d, err := reference.New(served, []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, "testdata/shop.html.golden", string(d.Page))
}

func TestDocumentThatIsNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "- a list", "a: [", "just text"} {
		if _, err := reference.New(served, []byte(text)); err == nil {
			t.Errorf("%q: got a document want an error", text)
		}
	}
}

func TestExamplesAreForTheSiteThatServesThem(t *testing.T) {
	t.Parallel()
	d, err := reference.New(served, []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"YAML": string(d.YAML), "JSON": string(d.JSON), "page": string(d.Page)} {
		if strings.Contains(text, "shop.example") || !strings.Contains(text, "http://shop.test/things") {
			t.Errorf("%s: got another site in the examples, want http://shop.test:\n%s", name, text)
		}
	}
}

func TestSiteNeedsNothingButItself(t *testing.T) {
	t.Parallel()
	d, err := reference.New(served, []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	if err := d.ServeSite(w, httptest.NewRequest("GET", "/docs", nil), "A <shop>"); err != nil {
		t.Fatal(err)
	}
	page := w.Body.String()
	_, rest, _ := strings.Cut(page, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	hash := sha256.Sum256([]byte(style))
	allowed := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, allowed) {
		t.Errorf("got policy %s want %s, for the style that is in the page", policy, allowed)
	}
	for _, want := range []string{"<h1>A &lt;shop&gt;</h1>", string(d.Page)} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %.40q in the page", want)
		}
	}
	for _, never := range []string{"<script", "<link", "<img"} {
		if strings.Contains(page, never) {
			t.Errorf("got %s in the page, want nothing to fetch", never)
		}
	}
}

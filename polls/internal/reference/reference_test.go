package reference_test

import (
	"strings"
	"testing"

	"stoa/internal/goldentest"
	"stoa/polls/internal/reference"
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
    curl https://polls.example/things?a=1&b=2
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
      responses: {default: {$ref: "#/components/responses/Error"}}
components:
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

func TestPage(t *testing.T) {
	t.Parallel()
	d, err := reference.New("http://shop.test", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	goldentest.Check(t, "testdata/shop.html.golden", string(d.Page))
}

func TestDocumentThatIsNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "- a list", "a: [", "just text"} {
		if _, err := reference.New("http://shop.test", []byte(text)); err == nil {
			t.Errorf("%q: got a document want an error", text)
		}
	}
}

func TestExamplesAreForTheSiteThatServesThem(t *testing.T) {
	t.Parallel()
	d, err := reference.New("http://shop.test", []byte(shop))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"YAML": string(d.YAML), "JSON": string(d.JSON), "page": string(d.Page)} {
		if strings.Contains(text, "polls.example") || !strings.Contains(text, "http://shop.test/things") {
			t.Errorf("%s: got another site in the examples, want http://shop.test:\n%s", name, text)
		}
	}
}

package polls_test

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// description is openapi.yaml, as answers are held against it. It is stricter than
// the file: what an answer has must be described.
type description struct {
	root     object
	mux      *http.ServeMux // finds the operation of a request
	mu       sync.Mutex     // of what follows
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by place in the file
}

var described = sync.OnceValue(func() *description {
	text, err := os.ReadFile("openapi.yaml")
	if err != nil {
		panic(err)
	}
	d := &description{mux: http.NewServeMux(), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	if err := yaml.Unmarshal(text, &d.root); err != nil {
		panic(err)
	}
	for _, pattern := range d.operations() {
		d.mux.Handle(pattern, http.NotFoundHandler())
	}
	if err := d.compiler.AddResource("openapi.json", strict(d.root)); err != nil {
		panic(err)
	}
	return d
})

// operations are the patterns of everything that is described.
func (d *description) operations() []string {
	var all []string
	for path, item := range d.root["paths"].(object) {
		for method := range item.(object) {
			if method != "parameters" {
				all = append(all, strings.ToUpper(method)+" "+path)
			}
		}
	}
	return all
}

// strict closes every object that is a member, an item or an answer: members that
// nobody describes are refused. Parts of an allOf stay open, for each other's sake.
func strict(value any) any {
	switch v := value.(type) {
	case object:
		closed := object{}
		for name, member := range v {
			closed[name] = strict(member)
			if name == "items" || name == "schema" {
				closed[name] = object{"allOf": []any{closed[name]}, "unevaluatedProperties": false}
			}
			if members, ok := closed[name].(object); ok && name == "properties" {
				for key, schema := range members {
					members[key] = object{"allOf": []any{schema}, "unevaluatedProperties": false}
				}
			}
		}
		return closed
	case []any:
		closed := make([]any, len(v))
		for i, item := range v {
			closed[i] = strict(item)
		}
		return closed
	}
	return value
}

// check holds an answer against the description. What is not described at all is
// the business of TestRoutesAndDescriptionAgree.
func (d *description) check(t testing.TB, r *http.Request, a answer) {
	t.Helper()
	_, pattern := d.mux.Handler(r)
	if pattern == "" || r.Method == http.MethodHead {
		return
	}
	method, path, _ := strings.Cut(pattern, " ")
	place, response := d.response(path, strings.ToLower(method), a.status)
	if place == "" {
		t.Errorf("%s: got status %d, which is not described", pattern, a.status)
		return
	}
	content, _ := response["content"].(object)
	if content == nil {
		if len(a.body) > 0 {
			t.Errorf("%s: got %d %s want no body", pattern, a.status, a.body)
		}
		return
	}
	kind, _, _ := mime.ParseMediaType(a.header.Get("Content-Type"))
	if content[kind] == nil {
		t.Errorf("%s: got %d of type %q, which is not described", pattern, a.status, kind)
		return
	}
	if kind == "application/json" {
		d.checkJSON(t, pattern, place+"/content/"+escape(kind)+"/schema", a)
	}
}

// response finds the described answer of that status, and its place in the file.
func (d *description) response(path, method string, status int) (string, object) {
	responses := d.root["paths"].(object)[path].(object)[method].(object)["responses"].(object)
	name := strconv.Itoa(status)
	if responses[name] == nil && status >= 400 {
		name = "default"
	}
	response, ok := responses[name].(object)
	if !ok {
		return "", nil
	}
	if ref, ok := response["$ref"].(string); ok {
		shared := strings.TrimPrefix(ref, "#/components/responses/")
		return "/components/responses/" + shared, d.root["components"].(object)["responses"].(object)[shared].(object)
	}
	return "/paths/" + escape(path) + "/" + method + "/responses/" + name, response
}

func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}

func (d *description) checkJSON(t testing.TB, pattern, place string, a answer) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.body))
	if err != nil {
		t.Errorf("%s: got %d %s want JSON: %v", pattern, a.status, a.body, err)
		return
	}
	schema, err := d.schema(place)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: got %d %s, which is not as described: %v", pattern, a.status, a.body, err)
	}
}

func (d *description) schema(place string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.schemas[place] == nil {
		schema, err := d.compiler.Compile("openapi.json#" + place)
		if err != nil {
			return nil, fmt.Errorf("%s of openapi.yaml: %w", place, err)
		}
		d.schemas[place] = schema
	}
	return d.schemas[place], nil
}

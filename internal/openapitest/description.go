// Package openapitest holds the answers of a service against its OpenAPI document.
package openapitest

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

// object is a JSON object.
type object = map[string]any

// Description is a document as answers are held against it. It is stricter than the
// file: what an answer has must be described.
type Description struct {
	Root     map[string]any
	mux      *http.ServeMux // finds the operation of a request
	mu       sync.Mutex     // of what follows
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by place in the file
}

// Load reads a document. It panics when that is none: no test could go on.
func Load(file string) *Description {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	d := &Description{mux: http.NewServeMux(), compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	if err := yaml.Unmarshal(text, &d.Root); err != nil {
		panic(err)
	}
	for _, pattern := range d.Operations() {
		d.mux.Handle(pattern, http.NotFoundHandler())
	}
	if err := d.compiler.AddResource("openapi.json", strict(d.Root)); err != nil {
		panic(err)
	}
	return d
}

// Operations are the patterns of everything that is described.
func (d *Description) Operations() []string {
	var all []string
	for path, item := range d.Root["paths"].(object) {
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

// Answer is what a request was answered.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Check holds an answer against the description. A path or a method that is not
// described at all is passed over.
func (d *Description) Check(t testing.TB, r *http.Request, a Answer) {
	t.Helper()
	_, pattern := d.mux.Handler(r)
	if pattern == "" || r.Method == http.MethodHead {
		return
	}
	method, path, _ := strings.Cut(pattern, " ")
	place, response := d.response(path, strings.ToLower(method), a.Status)
	if place == "" {
		t.Errorf("%s: got status %d, which is not described", pattern, a.Status)
		return
	}
	content, _ := response["content"].(object)
	if content == nil {
		if len(a.Body) > 0 {
			t.Errorf("%s: got %d %s want no body", pattern, a.Status, a.Body)
		}
		return
	}
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if content[kind] == nil {
		t.Errorf("%s: got %d of type %q, which is not described", pattern, a.Status, kind)
		return
	}
	if kind == "application/json" {
		d.checkJSON(t, pattern, place+"/content/"+escape(kind)+"/schema", a)
	}
}

// response finds the described answer of that status, and its place in the file.
func (d *Description) response(path, method string, status int) (string, object) {
	responses := d.Root["paths"].(object)[path].(object)[method].(object)["responses"].(object)
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
		return "/components/responses/" + shared, d.Root["components"].(object)["responses"].(object)[shared].(object)
	}
	return "/paths/" + escape(path) + "/" + method + "/responses/" + name, response
}

func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}

func (d *Description) checkJSON(t testing.TB, pattern, place string, a Answer) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Body))
	if err != nil {
		t.Errorf("%s: got %d %s want JSON: %v", pattern, a.Status, a.Body, err)
		return
	}
	schema, err := d.schema(place)
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: got %d %s, which is not as described: %v", pattern, a.Status, a.Body, err)
	}
}

func (d *Description) schema(place string) (*jsonschema.Schema, error) {
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

package inventory

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed schema.json
var schemaText []byte

// Schema is the draft-07 schema of the document, as editors want it.
func Schema() []byte { return slices.Clone(schemaText) }

// Validate holds a document against the schema.
//
// The schema is evaluated by a small evaluator of our own over the values as they
// were read, not by a library over plain data: each fault then has the place of
// its value or key, of several forms only the one meant is talked about, and
// members whose names are no text need no translation.
func Validate(d *Document) Faults {
	c := &collector{doc: d}
	validate(c, d.Root)
	return c.faults.sort()
}

func validate(c *collector, root *Value) {
	for _, i := range compiledSchema().check(root, nil, nil) {
		c.add(i.code, i.at, i.path, i.hint, "%s", i.message)
	}
}

// schema is one compiled schema object.
type schema struct {
	name                  string // of a definition
	title, about          string
	standard              *Value // default
	types                 []string
	names                 []string // of properties, in order
	properties            map[string]*schema
	rest                  *schema // of other members; nil: anything
	closed                bool
	required              []string
	items                 *schema
	tuple                 []*schema
	minItems, maxItems    int
	unique                bool
	enum                  []*Value
	minimum, maximum      *float64
	minLength             int
	minMembers, maxMember int
	anyOf, oneOf, allOf   []*schema
}

var compiledSchema = sync.OnceValue(func() *schema {
	doc, faults := Load("schema.json", schemaText)
	if len(faults) > 0 {
		panic("inventory: schema.json: " + faults[0].Message)
	}
	k := schemaCompiler{definitions: doc.Root.Get("definitions"), done: make(map[string]*schema)}
	return k.compile(doc.Root)
})

type schemaCompiler struct {
	definitions *Value
	done        map[string]*schema
}

func (k *schemaCompiler) compile(v *Value) *schema {
	if v == nil || v.Kind != Map {
		return nil
	}
	if ref, ok := strings.CutPrefix(v.Get("$ref").Str(), "#/definitions/"); ok {
		return k.definition(ref)
	}
	s := new(schema)
	k.fill(s, v)
	return s
}

func (k *schemaCompiler) definition(name string) *schema {
	if s, ok := k.done[name]; ok {
		return s
	}
	s := &schema{name: name}
	k.done[name] = s
	k.fill(s, k.definitions.Get(name))
	return s
}

func (k *schemaCompiler) fill(s *schema, v *Value) {
	s.title, s.about, s.standard = v.Get("title").Str(), v.Get("description").Str(), v.Get("default")
	s.types = texts(v.Get("type"))
	s.required = texts(v.Get("required"))
	if properties := v.Get("properties"); properties != nil {
		s.properties = make(map[string]*schema, len(properties.Members))
		for _, m := range properties.Members {
			s.names = append(s.names, m.Name)
			s.properties[m.Name] = k.compile(m.Value)
		}
	}
	if rest := v.Get("additionalProperties"); rest != nil && rest.Kind == Bool {
		s.closed = !rest.Bool()
	} else {
		s.rest = k.compile(rest)
	}
	if items := v.Get("items"); items != nil && items.Kind == List {
		s.tuple = k.all(items)
	} else {
		s.items = k.compile(items)
	}
	s.minItems, s.maxItems = number(v.Get("minItems")), number(v.Get("maxItems"))
	s.minMembers, s.maxMember = number(v.Get("minProperties")), number(v.Get("maxProperties"))
	s.minLength, s.unique = number(v.Get("minLength")), v.Get("uniqueItems").Bool()
	if enum := v.Get("enum"); enum != nil {
		s.enum = enum.Items
	}
	s.minimum, s.maximum = bound(v.Get("minimum")), bound(v.Get("maximum"))
	s.anyOf, s.oneOf, s.allOf = k.all(v.Get("anyOf")), k.all(v.Get("oneOf")), k.all(v.Get("allOf"))
}

func (k *schemaCompiler) all(v *Value) []*schema {
	if v == nil {
		return nil
	}
	list := make([]*schema, len(v.Items))
	for i, item := range v.Items {
		list[i] = k.compile(item)
	}
	return list
}

// texts is a text or a list of texts as a list.
func texts(v *Value) []string {
	switch {
	case v == nil:
		return nil
	case v.Kind == String:
		return []string{v.Text}
	}
	var list []string
	for _, item := range v.Items {
		if item.Kind == String {
			list = append(list, item.Text)
		}
	}
	return list
}

func number(v *Value) int {
	n, _ := v.Int()
	return int(n)
}

func bound(v *Value) *float64 {
	if f, ok := v.Number(); ok {
		return &f
	}
	return nil
}

package reference

import (
	"cmp"
	"html/template"
	"slices"
	"strings"
)

// operation is one call of the API, ready to be shown.
type operation struct {
	ID, Method, Path, Summary string
	Who                       string // who may call it
	credential                string // how he shows it to curl
	Intro                     template.HTML
	Parameters                []parameter
	Request                   string // a line for the shell
	Answers                   []answer
}

// parameter is what a caller may send.
type parameter struct {
	Name, Place, Type string
	Required          bool
	Text              template.HTML
}

// answer is what a caller may get.
type answer struct {
	Status  string
	Text    template.HTML
	Example string // empty for errors, which all look the same
}

func newOperation(origin, method, path string, item, op node) operation {
	o := operation{
		ID: op.get("operationId").text(), Method: strings.ToUpper(method), Path: path,
		Summary: op.get("summary").text(), Intro: prose(op.get("description").text()),
	}
	o.Who, o.credential = who(op)
	for _, list := range []node{item.get("parameters"), op.get("parameters")} {
		for p := range list.items() {
			o.Parameters = append(o.Parameters, parameter{
				Name: p.get("name").text(), Place: p.get("in").text(), Type: typeOf(p.get("schema")),
				Required: p.get("required").text() == "true", Text: inline(p.get("description").text()),
			})
		}
	}
	body := bodyOf(op)
	o.Parameters = append(o.Parameters, fields(body, nil)...)
	o.Request = curl(origin, o, item, op, body)
	for status, response := range op.get("responses").members() {
		o.Answers = append(o.Answers, newAnswer(status, response))
	}
	return o
}

// who says in words what a caller must have, and how it is shown to curl: by the
// last of the ways that has one.
func who(op node) (words, curl string) {
	root := node{op.root, op.root}
	choices := op.get("security")
	if choices.Node == nil {
		choices = root.get("security")
	}
	var have []string
	for choice := range choices.items() {
		if len(choice.Content) == 0 {
			return "for everybody", ""
		}
		for name := range choice.members() {
			scheme := root.get("components").get("securitySchemes").get(name)
			if who := scheme.get("x-who").text(); !slices.Contains(have, who) {
				have = append(have, who)
			}
			curl = cmp.Or(scheme.get("x-curl").text(), curl)
		}
	}
	if len(have) == 0 {
		return "for everybody", ""
	}
	return "with " + strings.Join(have, " or "), curl
}

// The types of bodies that are not sent as the parts of a form.
const (
	formBody = "application/x-www-form-urlencoded"
	jsonBody = "application/json"
)

// bodyOf is the schema of the parameters in the body. All types of body have the
// same one; the first that has it is shown.
func bodyOf(op node) node {
	content := op.get("requestBody").get("content")
	for _, kind := range []string{formBody, "multipart/form-data", jsonBody} {
		if media := content.get(kind); media.Node != nil {
			return media.get("schema")
		}
	}
	return node{nil, op.root}
}

// fields are the members of a schema and of all that it consists of.
func fields(schema node, required []string) []parameter {
	required = append(required, schema.get("required").texts()...)
	var all []parameter
	for part := range schema.get("allOf").items() {
		all = append(all, fields(part, requiredIn(schema, required))...)
	}
	for name, member := range schema.get("properties").members() {
		all = append(all, parameter{
			Name: name, Place: "body", Type: typeOf(member), Required: slices.Contains(required, name),
			Text: inline(member.get("description").text()),
		})
	}
	return all
}

// requiredIn adds what one part of a schema requires of another.
func requiredIn(schema node, required []string) []string {
	for part := range schema.get("allOf").items() {
		required = append(required, part.get("required").texts()...)
	}
	return required
}

// typeOf is a type in words: "integer", "string: true, false".
func typeOf(schema node) string {
	kind := strings.Join(schema.get("type").texts(), " or ")
	values := schema.get("enum").texts()
	if fixed := schema.get("const").text(); fixed != "" {
		values = []string{fixed}
	}
	if len(values) > 0 {
		kind += ": " + strings.Join(values, ", ")
	}
	return kind
}

func newAnswer(status string, response node) answer {
	if status == "default" {
		status = "other"
	}
	a := answer{Status: status, Text: inline(response.get("description").text())}
	if response.name() == "Error" {
		return a
	}
	for _, media := range response.get("content").members() {
		a.Example = example(media)
		break
	}
	return a
}

// Package reference makes a page of an OpenAPI document: what there is, by noun,
// each with its parameters, a request to copy and an answer to expect.
//
// It reads the part of OpenAPI that our documents use, and two words of our own in
// each security scheme: x-who says in a sentence what a caller has, x-curl how it is
// shown to curl. They are part of the program,
// so what it makes of them is trusted HTML.
package reference

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Document is the description of an API, for tools and for people.
type Document struct {
	YAML, JSON []byte
	Page       template.HTML // for the frame of the site
}

// Service is what a document describes.
type Service struct {
	Origin  string // where people reach it
	Example string // the origin that the examples of the document are written for
	Files   string // the path of the files for tools, without .yaml and .json
}

// New makes a document for a service, with examples that can be pasted as they are.
func New(s Service, openapi []byte) (*Document, error) {
	d := &Document{YAML: bytes.ReplaceAll(openapi, []byte(s.Example), []byte(s.Origin))}
	var all any
	if err := yaml.Unmarshal(d.YAML, &all); err != nil {
		return nil, fmt.Errorf("read the description of the API: %w", err)
	}
	var err error
	if d.JSON, err = json.MarshalIndent(all, "", "  "); err != nil {
		return nil, fmt.Errorf("read the description of the API: %w", err)
	}
	d.Page, err = render(s, d.YAML)
	return d, err
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// section is what can be done with one noun.
type section struct {
	ID, Name   string
	Intro      template.HTML
	Operations []operation
}

func render(s Service, document []byte) (template.HTML, error) {
	root, err := parse(document)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = pageTemplate.Execute(&b, struct {
		Files    string
		Intro    template.HTML
		Sections []*section
	}{s.Files, prose(root.get("info").get("description").text()), sections(s.Origin, root)})
	if err != nil {
		return "", fmt.Errorf("render the description of the API: %w", err)
	}
	return template.HTML(b.String()), nil
}

// sections sorts the operations by their first tag.
func sections(origin string, root node) []*section {
	var all []*section
	byName := map[string]*section{}
	for tag := range root.get("tags").items() {
		name := tag.get("name").text()
		s := &section{ID: strings.ReplaceAll(strings.ToLower(name), " ", "-"), Name: name, Intro: prose(tag.get("description").text())}
		all, byName[name] = append(all, s), s
	}
	for path, item := range root.get("paths").members() {
		for method, op := range item.members() {
			if s := byName[op.get("tags").first()]; s != nil { // else it is no operation
				s.Operations = append(s.Operations, newOperation(origin, method, path, item, op))
			}
		}
	}
	return all
}

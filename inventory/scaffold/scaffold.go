// Package scaffold writes the first document of a cluster: complete, in order and
// with comments that say what to change.
package scaffold

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"text/template"

	"stoa/inventory"
	"stoa/inventory/format"
)

//go:embed document.tmpl
var documentText string

var documentTemplate = template.Must(template.New("document").Funcs(template.FuncMap{
	"text": scalar,
	"list": func(roles []string) string { return listing(roles, ", ") },
}).Parse(documentText))

// Document writes a document. The error says everything that is wrong with what
// was asked for, and what is allowed.
func Document(o Options) ([]byte, error) {
	c, err := plan(o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := documentTemplate.Execute(&b, c); err != nil {
		return nil, err
	}
	if err := check(b.Bytes()); err != nil {
		return nil, err
	}
	text, _, err := format.Source("new document", b.Bytes())
	return text, err
}

// check holds a new document against the rules of all documents: what is asked for
// may be odd in ways that only they know.
func check(text []byte) error {
	d, faults := inventory.Load("new document", text)
	if len(faults) == 0 {
		faults = inventory.Lint(context.Background(), d, inventory.Options{NoFiles: true})
	}
	for _, f := range faults {
		return fmt.Errorf("the document would not be in order: %s", f.Message)
	}
	return nil
}

package jinja

import (
	"context"
	"fmt"
	"strings"
)

// Lookup gives the value of a top-level name. ok is false where there is none.
type Lookup = func(name string) (value any, ok bool, err error)

// Template is a parsed template. Any number of renderings may share it.
type Template struct {
	source string
	body   block
}

const maxSource = 4 << 20

// IsTemplate tells whether a string of the document is to be rendered.
func IsTemplate(s string) bool {
	return strings.Contains(s, "{{") || strings.Contains(s, "{%")
}

// Parse reads a template. Its errors are of type *Error.
func Parse(source string) (t *Template, err error) {
	defer recovered(source, &err)
	if len(source) > maxSource {
		return nil, &Error{Line: 1, Column: 1, Message: fmt.Sprintf("the template is longer than %d bytes", maxSource)}
	}
	body, err := parse(source)
	if err != nil {
		return nil, public(source, err)
	}
	return &Template{source: source, body: body}, nil
}

// Render parses and evaluates one template. lookup gives the top-level names.
func Render(ctx context.Context, source string, lookup Lookup, opts ...Option) (string, error) {
	t, err := Parse(source)
	if err != nil {
		return "", err
	}
	return t.Render(ctx, lookup, opts...)
}

// Render evaluates the template. Its errors are of type *Error and wrap what
// lookup or a Lazy value answered.
func (t *Template) Render(ctx context.Context, lookup Lookup, opts ...Option) (text string, err error) {
	defer recovered(t.source, &err)
	st := &state{ctx: ctx, source: t.source, lookup: lookup, budget: defaultBudget}
	for _, opt := range opts {
		opt(st)
	}
	text, err = st.render(t.body)
	if err != nil {
		return "", public(t.source, err)
	}
	return text, nil
}

func (st *state) render(body block) (string, error) {
	if err := st.step(1); err != nil {
		return "", err
	}
	root := &scope{}
	if len(body) == 1 {
		if p, ok := body[0].(*printNode); ok { // most templates are a single reference
			v, err := p.of.eval(st, root)
			if err != nil {
				return "", err
			}
			text, err := st.text(v)
			return text, placed(p.of.place().from, err)
		}
	}
	err := body.exec(st, root)
	return string(st.out), err
}

// recovered is the last line of defence: a fault of ours in one template must
// not end the program.
func recovered(source string, err *error) {
	if fault := recover(); fault != nil {
		*err = public(source, fmt.Errorf("the template cannot be computed: %v", fault))
	}
}

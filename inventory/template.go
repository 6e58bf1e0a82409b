package inventory

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"stoa/inventory/internal/jinja"
)

// Bounds of all templates of a document together.
const (
	maxRendered = 64 << 20 // bytes made
	maxChain    = 200      // values that depend on one another
)

// renderer evaluates the templates and the calculated values of a tree, each
// when it is asked for, so that they may refer to one another in any order.
type renderer struct {
	r       *resolver
	root    *Value
	hidden  bool // only what is needed to reach the nodes is visible
	pending map[*Value]*pending
	order   []*pending
	views   map[string]any
	chain   []*pending
	bytes   int
	unseen  string // a name that was asked for and is hidden
}

type pending struct {
	v     *Value
	w     *way
	state evaluation
}

type evaluation uint8

const (
	waiting evaluation = iota
	running
	done
	failed
)

// errReported is the failure of a value that depends on one that was reported.
var errReported = errors.New("depends on a value that is faulty")

func (r *resolver) newRenderer(root *Value) *renderer {
	e := &renderer{r: r, root: root, pending: make(map[*Value]*pending), views: make(map[string]any)}
	e.collect(root, nil)
	return e
}

func (e *renderer) collect(v *Value, w *way) {
	switch {
	case v.Kind == Map:
		for i := range v.Members {
			e.collect(v.Members[i].Value, w.member(v.Members[i].Name))
		}
	case v.Kind == List:
		for i, item := range v.Items {
			e.collect(item, w.item(i))
		}
	case isTemplate(v) || v.Origin != nil && v.Origin.calc != nil:
		p := &pending{v: v, w: w}
		e.pending[v] = p
		e.order = append(e.order, p)
	}
}

// all evaluates everything, in order, so that faults come in order too.
func (e *renderer) all() {
	for _, p := range e.order {
		_ = e.force(p) // reported
	}
}

// force evaluates a value once. Its error has been reported.
func (e *renderer) force(p *pending) error {
	switch p.state {
	case done:
		return nil
	case failed:
		return errReported
	case running:
		return e.cycle(p)
	}
	if len(e.chain) >= maxChain {
		return e.fail(p, TemplateFailed, "", "more than %d values depend on one another in a row", maxChain)
	}
	p.state = running
	e.chain = append(e.chain, p)
	err := e.evaluate(p)
	e.chain = e.chain[:len(e.chain)-1]
	if err != nil {
		p.state = failed
		return errReported
	}
	p.state = done
	return nil
}

func (e *renderer) evaluate(p *pending) error {
	if p.v.Origin != nil && p.v.Origin.calc != nil {
		v, err := p.v.Origin.calc(e)
		if err != nil {
			return errReported
		}
		v.At = p.v.At
		v.Origin = &Origin{Kind: FromCalculation, Rule: p.v.Origin.Rule}
		*p.v = *v
		return nil
	}
	source := p.v.Text
	text, err := e.render(p, source)
	if err != nil {
		return err
	}
	if e.bytes += len(text); e.bytes > maxRendered {
		return e.fail(p, TemplateFailed, "", "the templates of the document make more than %d bytes", maxRendered)
	}
	o := Origin{Kind: FromTemplate, At: p.v.At, Source: source}
	if p.v.Origin != nil {
		o.Kind, o.At, o.Rule = p.v.Origin.Kind, p.v.Origin.At, p.v.Origin.Rule
	}
	*p.v = Value{Kind: String, Text: text, At: p.v.At, Origin: &o}
	return nil
}

func (e *renderer) render(p *pending, source string) (string, error) {
	t, err := jinja.Parse(source)
	if err != nil {
		return "", e.fail(p, TemplateSyntax, "to write braces as they are: {% raw %}…{% endraw %}", "not a valid template: %s", inTemplate(err, source))
	}
	before := e.unseen
	e.unseen = ""
	text, err := t.Render(e.r.ctx, e.lookup, jinja.WithBudget(jinja.Budget{Bytes: maxRendered / 4}))
	unseen := e.unseen
	e.unseen = before
	switch {
	case err == nil:
		return text, nil
	case errors.Is(err, errReported) || e.r.late:
		return "", errReported
	case e.r.ctx.Err() != nil:
		e.r.late = true // the other templates are not to blame
		return "", e.fail(p, TemplateFailed, "look for long loops", "the templates of the document take longer than %s", resolveTime)
	case unseen != "":
		return "", e.fail(p, TemplateHidden, "put it in a member that is not needed to reach the nodes",
			"%s is not visible here: node members and values see only %s and env", unseen, strings.Join(accessMembers, ", "))
	case strings.Contains(err.Error(), "undefined"):
		return "", e.fail(p, TemplateUndefined, "give it a value, or use default(…)", "%s", inTemplate(err, source))
	}
	return "", e.fail(p, TemplateFailed, "", "cannot evaluate the template: %s", inTemplate(err, source))
}

// inTemplate is what a template's error says, with its place when the template
// has several lines.
func inTemplate(err error, source string) string {
	t, ok := errors.AsType[*jinja.Error](err)
	if !ok {
		return err.Error()
	}
	if strings.Contains(strings.TrimSpace(source), "\n") {
		return t.Message + " (line " + strconv.Itoa(t.Line) + " of the template)"
	}
	return t.Message
}

func (e *renderer) fail(p *pending, code Code, hint, format string, args ...any) error {
	path := p.w.pointer()
	if e.r.taint.sound(path) {
		e.r.add(code, e.r.place(p.v, path), path, hint, "%s", short300(fmt.Sprintf(format, args...)))
		e.r.taint.add(path)
	}
	p.state = failed
	return errReported
}

func short300(text string) string {
	if r := []rune(text); len(r) > 300 {
		return string(r[:300]) + "…"
	}
	return text
}

// cycle names the values that depend on one another.
func (e *renderer) cycle(p *pending) error {
	var names []string
	inside := false
	for _, c := range e.chain {
		if inside = inside || c == p; inside {
			names = append(names, dotted(c.w.segments()))
		}
	}
	names = append(names, dotted(p.w.segments()))
	return e.fail(p, TemplateCycle, "give one of them a value of its own", "the value depends on itself: %s", strings.Join(names, " → "))
}

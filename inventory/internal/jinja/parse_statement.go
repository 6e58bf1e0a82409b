package jinja

import "slices"

// body reads statements up to one of the closing words of its owner, which is
// left as the next token. Without owner it reads the whole template.
func (p *parser) body(owner string, ends ...string) block {
	if !p.down() {
		return nil
	}
	defer p.up()
	var b block
	opened := p.peek().from
	for p.err == nil {
		t := p.next()
		switch t.kind {
		case endToken:
			if owner != "" {
				p.fail(opened, "%s is not closed: {%% %s %%} is missing", owner, ends[len(ends)-1])
			}
			return b
		case textToken:
			b = append(b, &textNode{t.text})
		case printOpen:
			b = append(b, &printNode{p.tuple(false)})
			p.endTag(printClose)
		case blockOpen:
			if word := p.peek(); word.kind == nameToken && slices.Contains(ends, word.text) {
				return b
			}
			b = append(b, p.statement())
			p.endTag(blockClose)
		}
	}
	return b
}

func (p *parser) endTag(k kind) {
	if p.peek().kind != k {
		p.unexpected("the tag should end here")
	}
	p.next()
}

// inner reads the body of a statement whose tag ends here, and the closing
// word, but not the end of its tag.
func (p *parser) inner(owner, end string) block {
	p.endTag(blockClose)
	b := p.body(owner, end)
	p.expectWord(end)
	return b
}

func (p *parser) statement() statement {
	t := p.expectName()
	switch t.text {
	case "if":
		return p.ifStatement()
	case "for":
		return p.forStatement(t.from)
	case "set":
		return p.setStatement(t.from)
	case "macro":
		return p.macroStatement(t.from)
	case "call":
		return p.callStatement(t.from)
	case "filter":
		f := &filterBlock{filters: p.filterChain()}
		f.body = p.inner("filter", "endfilter")
		return f
	case "with":
		return p.withStatement()
	case "print":
		return p.printStatement()
	case "block":
		return p.blockStatement()
	case "include", "import", "from", "extends":
		p.fail(t.from, "%s is refused: a template cannot open files", t.text)
	case "elif", "else", "endif", "endfor", "endset", "endmacro", "endcall", "endfilter", "endwith", "endblock", "endraw":
		p.fail(t.from, "%s does not belong to any open tag here", t.text)
	default:
		p.fail(t.from, "there is no tag %q%s", t.text, nearest(t.text, tagNames))
	}
	return nil
}

var tagNames = []string{"if", "for", "set", "macro", "call", "filter", "with", "print", "raw", "block"}

// printStatement prints several values one after the other, not as a tuple.
func (p *parser) printStatement() statement {
	e := p.tuple(false)
	if t, ok := e.(*tupleNode); ok {
		e = &concat{t.where, t.items}
	}
	return &printNode{e}
}

func (p *parser) ifStatement() statement {
	n := &ifNode{}
	for p.err == nil {
		n.tests = append(n.tests, p.tuple(false))
		p.endTag(blockClose)
		n.bodies = append(n.bodies, p.body("if", "elif", "else", "endif"))
		if p.skipWord("elif") {
			continue
		}
		if p.skipWord("else") {
			p.endTag(blockClose)
			n.orElse = p.body("if", "endif")
		}
		p.expectWord("endif")
		break
	}
	return n
}

func (p *parser) forStatement(from int) statement {
	n := &forNode{target: p.target()}
	p.expectWord("in")
	n.over = p.iterated()
	n.where = p.since(from)
	if p.skipWord("if") {
		n.condition = p.expression()
	}
	n.recursive = p.skipWord("recursive")
	p.endTag(blockClose)
	n.body = p.body("for", "else", "endfor")
	if p.skipWord("else") {
		p.endTag(blockClose)
		n.orElse = p.body("for", "endfor")
	}
	p.expectWord("endfor")
	return n
}

// iterated reads what a loop walks. An if after it belongs to the loop.
func (p *parser) iterated() expression {
	from := p.peek().from
	items := []expression{p.or()}
	if !p.isOp(",") {
		return items[0]
	}
	for p.skipOp(",") && !p.tupleEnd() {
		items = append(items, p.or())
	}
	return &tupleNode{p.since(from), items}
}

func (p *parser) setStatement(from int) statement {
	t := p.target()
	if p.skipOp("=") {
		value := p.tuple(false)
		return &setNode{p.since(from), t, value}
	}
	if t.parts != nil {
		p.unexpected("%q is expected here", "=")
	}
	n := &setBlock{target: t}
	if p.skipOp("|") {
		n.filters = p.filterChain()
	}
	n.where = p.since(from)
	n.body = p.inner("set", "endset")
	return n
}

func (p *parser) filterChain() []*filterNode {
	from := p.peek().from
	chain := []*filterNode{p.filter(from, nil)}
	for p.err == nil && p.skipOp("|") {
		chain = append(chain, p.filter(from, nil))
	}
	return chain
}

func (p *parser) withStatement() statement {
	n := &withNode{}
	for p.err == nil && p.peek().kind != blockClose {
		n.targets = append(n.targets, p.oneTarget())
		p.expectOp("=")
		n.values = append(n.values, p.expression())
		if !p.skipOp(",") {
			break
		}
	}
	n.body = p.inner("with", "endwith")
	return n
}

func (p *parser) blockStatement() statement {
	p.expectName()
	n := &blockNode{scoped: p.skipWord("scoped")}
	n.body = p.inner("block", "endblock")
	if p.peek().kind == nameToken {
		p.next()
	}
	return n
}

func (p *parser) macroStatement(from int) statement {
	n := &macroNode{name: p.expectName().text}
	p.parameters(n)
	p.macros = append(p.macros, n)
	n.body = p.inner("macro", "endmacro")
	p.macros = p.macros[:len(p.macros)-1]
	n.where = p.since(from)
	return n
}

func (p *parser) parameters(n *macroNode) {
	p.expectOp("(")
	for p.err == nil && !p.isOp(")") {
		n.params = append(n.params, p.expectName().text)
		if p.skipOp("=") {
			n.defaults = append(n.defaults, p.expression())
		} else if len(n.defaults) > 0 {
			p.fail(p.peek().from, "a parameter without a default stands before those with one")
		}
		if !p.skipOp(",") {
			break
		}
	}
	p.expectOp(")")
}

func (p *parser) callStatement(from int) statement {
	n := &callBlock{macro: &macroNode{name: "caller"}}
	if p.isOp("(") {
		p.parameters(n.macro)
	}
	at := p.peek().from
	c, ok := p.expression().(*call)
	if !ok {
		p.fail(at, "call needs the call of a macro")
	}
	n.call = c
	n.where = p.since(from)
	n.macro.where = n.where
	n.macro.body = p.inner("call", "endcall")
	return n
}

// target reads the left side of an assignment.
func (p *parser) target() target {
	from := p.peek().from
	first := p.oneTarget()
	if !p.isOp(",") {
		return first
	}
	t := target{parts: []target{first}}
	for p.skipOp(",") && p.err == nil && !p.isWord("in") && !p.isOp("=") && !p.isOp(")") {
		t.parts = append(t.parts, p.oneTarget())
	}
	t.where = p.since(from)
	return t
}

func (p *parser) oneTarget() target {
	if !p.down() {
		return target{}
	}
	defer p.up()
	from := p.peek().from
	if p.skipOp("(") {
		t := p.target()
		p.expectOp(")")
		return t
	}
	t := target{name: p.expectName().text}
	switch t.name {
	case "true", "false", "none", "True", "False", "None":
		p.fail(from, "%s cannot be assigned to", t.name)
	}
	if p.skipOp(".") {
		t.member = p.expectName().text
	}
	t.where = p.since(from)
	return t
}

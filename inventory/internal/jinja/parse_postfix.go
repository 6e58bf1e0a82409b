package jinja

import "strings"

// postfix reads members, subscripts and calls after an expression.
func (p *parser) postfix(from int, e expression) expression {
	for n := 0; p.chain(n); n++ {
		switch {
		case p.skipOp("."):
			e = p.member(from, e)
		case p.skipOp("["):
			e = p.subscript(from, e)
		case p.isOp("("):
			args := p.arguments()
			e = &call{where: p.since(from), callee: e, args: args}
		default:
			return e
		}
	}
	return e
}

func (p *parser) member(from int, of expression) expression {
	t := p.peek()
	if t.kind == nameToken {
		p.next()
		return &attribute{where: p.since(from), of: of, name: t.text}
	}
	if i, ok := t.value.(int64); ok {
		p.next()
		return &subscript{where: p.since(from), of: of, key: &literal{where{t.from, t.to}, i}}
	}
	p.unexpected("a member is expected after the dot")
	return nil
}

func (p *parser) subscript(from int, of expression) expression {
	var start expression
	if !p.isOp(":") {
		start = p.tuple(false)
		if !p.isOp(":") {
			p.expectOp("]")
			return &subscript{where: p.since(from), of: of, key: start}
		}
	}
	s := &slice{of: of, start: start}
	p.expectOp(":")
	if !p.isOp(":") && !p.isOp("]") {
		s.end = p.expression()
	}
	if p.skipOp(":") && !p.isOp("]") {
		s.step = p.expression()
	}
	p.expectOp("]")
	s.where = p.since(from)
	return s
}

func (p *parser) arguments() argumentNodes {
	var a argumentNodes
	open := p.next()
	for p.err == nil && !p.isOp(")") {
		switch {
		case p.skipOp("**"):
			if a.spreadMap != nil {
				p.fail(open.from, "only one ** is allowed in a call")
			}
			a.spreadMap = p.expression()
		case p.skipOp("*"):
			if a.spread != nil || a.spreadMap != nil {
				p.fail(open.from, "only one * is allowed in a call, before any **")
			}
			a.spread = p.expression()
		case p.peek().kind == nameToken && p.tokens[p.at+1].text == "=" && p.tokens[p.at+1].kind == operatorToken:
			key := p.next().text
			p.next()
			a.named = append(a.named, namedNode{key, p.expression()})
		default:
			if len(a.named) > 0 || a.spread != nil || a.spreadMap != nil {
				p.fail(p.peek().from, "an argument without a name stands before those with one")
			}
			a.positional = append(a.positional, p.expression())
		}
		if !p.skipOp(",") {
			break
		}
	}
	p.expectOp(")")
	return a
}

// filters reads filters and tests after an expression.
func (p *parser) filters(from int, e expression) expression {
	for n := 0; p.chain(n); n++ {
		switch {
		case p.skipOp("|"):
			e = p.filter(from, e)
		case p.skipWord("is"):
			e = p.test(from, e)
		case p.isOp("("):
			args := p.arguments()
			e = &call{where: p.since(from), callee: e, args: args}
		default:
			return e
		}
	}
	return e
}

func (p *parser) filter(from int, of expression) *filterNode {
	t, name := p.dotted()
	f := &filterNode{of: of, name: name}
	if f.fn = filterNamed(name); f.fn == nil {
		p.fail(t.from, "there is no filter %q%s", name, nearest(name, filterNames()))
	}
	if p.isOp("(") {
		f.args = p.arguments()
	}
	f.where = p.since(from)
	return f
}

func (p *parser) test(from int, of expression) expression {
	n := &testNode{of: of, not: p.skipWord("not")}
	t, name := p.dotted()
	n.name = name
	if n.fn = testNamed(name); n.fn == nil {
		p.fail(t.from, "there is no test %q%s", name, nearest(name, testNames()))
	}
	if p.isOp("(") {
		n.args = p.arguments()
	} else if p.startsArgument() {
		from := p.peek().from
		n.args.positional = []expression{p.postfix(from, p.primary())}
	}
	if p.isWord("is") {
		p.unexpected("tests cannot follow each other")
	}
	n.where = p.since(from)
	return n
}

// startsArgument tells whether a test without brackets has an argument:
// x is divisibleby 3.
func (p *parser) startsArgument() bool {
	switch t := p.peek(); t.kind {
	case nameToken:
		switch t.text {
		case "else", "or", "and", "is", "if", "not", "in", "recursive":
			return false
		}
		return true
	case stringToken, numberToken:
		return true
	case operatorToken:
		return t.text == "[" || t.text == "{"
	}
	return false
}

func (p *parser) dotted() (token, string) {
	t := p.expectName()
	var name strings.Builder
	name.WriteString(t.text)
	for p.skipOp(".") {
		name.WriteString("." + p.expectName().text)
	}
	return t, name.String()
}

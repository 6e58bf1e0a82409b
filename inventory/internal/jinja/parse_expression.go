package jinja

import "strings"

// The levels of binding, loosest first, are those of Jinja2: if/else, or, and,
// not, comparisons, + -, ~, * / // %, **, signs, members and calls. Filters
// and tests bind as tightly as a member.

func (p *parser) expression() expression {
	if !p.down() {
		return nil
	}
	defer p.up()
	from := p.peek().from
	e := p.or()
	for n := 0; p.chain(n) && p.skipWord("if"); n++ {
		c := &conditional{then: e, test: p.or()}
		if p.skipWord("else") {
			c.otherwise = p.expression()
		}
		c.where = p.since(from)
		e = c
	}
	return e
}

func (p *parser) or() expression {
	from := p.peek().from
	left := p.and()
	for n := 0; p.chain(n) && p.skipWord("or"); n++ {
		right := p.and()
		left = &logical{where: p.since(from), or: true, left: left, right: right}
	}
	return left
}

func (p *parser) and() expression {
	from := p.peek().from
	left := p.not()
	for n := 0; p.chain(n) && p.skipWord("and"); n++ {
		right := p.not()
		left = &logical{where: p.since(from), left: left, right: right}
	}
	return left
}

func (p *parser) not() expression {
	from := p.peek().from
	negate, n := false, 0
	for ; p.chain(n) && p.skipWord("not"); n++ {
		negate = !negate
	}
	e := p.comparison()
	if n == 0 {
		return e
	}
	e = &unary{where: p.since(from), op: "not", of: e}
	if !negate {
		e = &unary{where: p.since(from), op: "not", of: e}
	}
	return e
}

func (p *parser) comparison() expression {
	from := p.peek().from
	c := &comparison{first: p.arithmetic(0)}
	for n := 0; p.chain(n); n++ {
		op := p.comparisonOp()
		if op == "" {
			break
		}
		c.ops = append(c.ops, op)
		c.rest = append(c.rest, p.arithmetic(0))
	}
	if len(c.ops) == 0 {
		return c.first
	}
	c.where = p.since(from)
	return c
}

func (p *parser) comparisonOp() string {
	t := p.peek()
	switch t.kind {
	case operatorToken:
		switch t.text {
		case "==", "!=", "<", "<=", ">", ">=":
			return p.next().text
		}
	case nameToken:
		if p.skipWord("in") {
			return "in"
		}
		if following := p.tokens[min(p.at+1, len(p.tokens)-1)]; t.text == "not" && following.kind == nameToken && following.text == "in" {
			p.at += 2
			return "not in"
		}
	}
	return ""
}

// All of these lean to the left, ** too, as in Jinja2.
var arithmeticLevels = [][]string{{"+", "-"}, {"~"}, {"*", "/", "//", "%"}, {"**"}}

func (p *parser) arithmetic(level int) expression {
	if level == len(arithmeticLevels) {
		return p.signed(true)
	}
	from := p.peek().from
	left := p.arithmetic(level + 1)
	for n := 0; p.chain(n); n++ {
		op := p.oneOf(arithmeticLevels[level])
		if op == "" {
			break
		}
		right := p.arithmetic(level + 1)
		if c, ok := left.(*concat); ok && op == "~" && n > 0 {
			c.parts = append(c.parts, right)
			c.where = p.since(from)
		} else if op == "~" {
			left = &concat{where: p.since(from), parts: []expression{left, right}}
		} else {
			left = &binary{where: p.since(from), op: op, left: left, right: right}
		}
	}
	return left
}

func (p *parser) oneOf(ops []string) string {
	for _, op := range ops {
		if p.skipOp(op) {
			return op
		}
	}
	return ""
}

func (p *parser) signed(filters bool) expression {
	if !p.down() {
		return nil
	}
	defer p.up()
	from := p.peek().from
	var e expression
	if op := p.oneOf([]string{"-", "+"}); op != "" {
		operand := p.signed(false)
		e = &unary{where: p.since(from), op: op, of: operand}
	} else {
		e = p.primary()
	}
	e = p.postfix(from, e)
	if filters {
		e = p.filters(from, e)
	}
	return e
}

func (p *parser) primary() expression {
	t := p.peek()
	switch t.kind {
	case nameToken:
		p.next()
		switch t.text {
		case "true", "True":
			return &literal{where{t.from, t.to}, true}
		case "false", "False":
			return &literal{where{t.from, t.to}, false}
		case "none", "None":
			return &literal{where{t.from, t.to}, nil}
		}
		p.noteName(t.text)
		return &name{where{t.from, t.to}, t.text}
	case stringToken:
		var text strings.Builder
		text.WriteString(p.next().text)
		for p.peek().kind == stringToken {
			text.WriteString(p.next().text)
		}
		return &literal{p.since(t.from), text.String()}
	case numberToken:
		p.next()
		return &literal{where{t.from, t.to}, t.value}
	case operatorToken:
		switch t.text {
		case "(":
			p.next()
			e := p.tuple(true)
			p.expectOp(")")
			return e
		case "[":
			return p.list()
		case "{":
			return p.mapping()
		}
	}
	p.unexpected("an expression is expected here")
	return nil
}

// noteName tells the macros around that their body names these.
func (p *parser) noteName(n string) {
	for _, m := range p.macros {
		switch n {
		case "varargs":
			m.varargs = true
		case "kwargs":
			m.kwargs = true
		case "caller":
			m.caller = true
		}
	}
}

// tuple reads an expression, or several between commas.
func (p *parser) tuple(bracketed bool) expression {
	from := p.peek().from
	var items []expression
	comma := false
	for p.err == nil && !p.tupleEnd() {
		items = append(items, p.expression())
		if !p.skipOp(",") {
			break
		}
		comma = true
	}
	if !comma && len(items) == 1 {
		return items[0]
	}
	if !comma && !bracketed {
		p.unexpected("an expression is expected here")
	}
	return &tupleNode{p.since(from), items}
}

func (p *parser) tupleEnd() bool {
	k := p.peek().kind
	return k == printClose || k == blockClose || k == endToken || p.isOp(")")
}

func (p *parser) list() expression {
	from := p.next().from
	n := &listNode{items: p.listed("]")}
	n.where = p.since(from)
	return n
}

// listed reads expressions between commas up to a closing bracket.
func (p *parser) listed(end string) []expression {
	var items []expression
	for p.err == nil && !p.isOp(end) {
		items = append(items, p.expression())
		if !p.skipOp(",") {
			break
		}
	}
	p.expectOp(end)
	return items
}

func (p *parser) mapping() expression {
	n := &mapNode{}
	from := p.next().from
	for p.err == nil && !p.isOp("}") {
		n.keys = append(n.keys, p.expression())
		p.expectOp(":")
		n.values = append(n.values, p.expression())
		if !p.skipOp(",") {
			break
		}
	}
	p.expectOp("}")
	n.where = p.since(from)
	return n
}

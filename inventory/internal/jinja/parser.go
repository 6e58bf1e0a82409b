package jinja

import "strings"

// parser turns tokens into nodes. The first fault is kept and the rest of the
// tokens skipped, so parse functions need not return errors; what they return
// after a fault is not used.
type parser struct {
	source string
	tokens []token
	at     int
	depth  int
	err    error
	macros []*macroNode // the ones around this place
}

const (
	maxParseDepth = 150  // brackets and blocks within each other
	maxChain      = 1000 // operators, members or filters in a row
)

func parse(source string) (block, error) {
	tokens, err := lex(source)
	if err != nil {
		return nil, err
	}
	p := &parser{source: source, tokens: tokens}
	body := p.body("")
	return body, p.err
}

func (p *parser) peek() token { return p.tokens[p.at] }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if p.at < len(p.tokens)-1 {
		p.at++
	}
	return t
}

func (p *parser) fail(at int, format string, args ...any) {
	if p.err == nil {
		p.err = failAt(at, format, args...)
	}
	p.at = len(p.tokens) - 1
}

func (p *parser) isOp(op string) bool {
	t := p.peek()
	return t.kind == operatorToken && t.text == op
}

func (p *parser) isWord(word string) bool {
	t := p.peek()
	return t.kind == nameToken && t.text == word
}

func (p *parser) skipOp(op string) bool {
	if p.isOp(op) {
		p.at++
		return true
	}
	return false
}

func (p *parser) skipWord(word string) bool {
	if p.isWord(word) {
		p.at++
		return true
	}
	return false
}

func (p *parser) expectOp(op string) {
	if !p.skipOp(op) {
		p.unexpected("%q is expected here", op)
	}
}

func (p *parser) expectWord(word string) {
	if !p.skipWord(word) {
		p.unexpected("%q is expected here", word)
	}
}

func (p *parser) expectName() token {
	t := p.peek()
	if t.kind != nameToken {
		p.unexpected("a name is expected here")
	}
	return p.next()
}

func (p *parser) unexpected(format string, args ...any) {
	t := p.peek()
	p.fail(t.from, format+", not "+describe(t), args...)
}

func describe(t token) string {
	switch t.kind {
	case endToken:
		return "the end of the template"
	case printClose, blockClose:
		return "the end of the tag"
	case stringToken:
		return "a string"
	case textToken:
		return "text"
	}
	return "\"" + strings.ReplaceAll(t.text, "%", "%%") + "\""
}

// down guards the recursion of the parser, and so the depth of the tree.
func (p *parser) down() bool {
	if p.depth++; p.depth > maxParseDepth {
		p.fail(p.peek().from, "the template is nested more than %d deep", maxParseDepth)
		return false
	}
	return true
}

func (p *parser) up() { p.depth-- }

// chain guards the loops that build a tree to the left.
func (p *parser) chain(n int) bool {
	if n > maxChain {
		p.fail(p.peek().from, "more than %d operators in a row", maxChain)
		return false
	}
	return p.err == nil
}

func (p *parser) since(from int) where {
	to := from
	if p.at > 0 {
		to = p.tokens[p.at-1].to
	}
	return where{from, max(from, to)}
}

package ratelimit

import "strings"

// pattern is a text in which each * stands for any characters, or none.
type pattern struct {
	text  string
	parts []string // the texts between the stars; one part: no star
}

func newPattern(text string) pattern {
	return pattern{text: text, parts: strings.Split(text, "*")}
}

func (p pattern) wild() bool { return len(p.parts) > 1 }

// match takes the leftmost place for every middle part, which leaves the most
// room for the parts after it, so no second try is needed.
func (p pattern) match(s string) bool {
	last := len(p.parts) - 1
	if last == 0 {
		return s == p.text
	}
	head, tail := p.parts[0], p.parts[last]
	if len(s) < len(head)+len(tail) || !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) {
		return false
	}
	s = s[len(head) : len(s)-len(tail)]
	for _, part := range p.parts[1:last] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return true
}

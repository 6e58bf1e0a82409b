package wire

import "strings"

// readJSON reads a body that must be one JSON object. Values that are arrays or
// objects are checked and kept as they stand.
func (p *Params) readJSON(body string) error {
	if err := checkText(body); err != nil {
		return err
	}
	s := scanner{text: body}
	if s.next() != '{' {
		return Errorf(InvalidJSON, "", "the body must be one JSON object")
	}
	if err := s.members(1, p.add); err != nil {
		return err
	}
	if s.next() != end {
		return s.fault()
	}
	return nil
}

// elements are the values of an array that has been read as a whole before.
func elements(array string) ([]value, error) {
	s := scanner{text: array}
	list := []value{}
	s.next()
	err := s.items(1, func(v value) { list = append(list, v) })
	return list, err
}

// scanner walks over a JSON text, which must be valid UTF-8.
type scanner struct {
	text string
	at   int
}

// end is what next gives behind the text. It is no byte of a text without U+0000.
const end = 0

// next skips white space and tells the byte that follows, without taking it.
func (s *scanner) next() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return end
}

func (s *scanner) fault() error {
	return Errorf(InvalidJSON, "", "the body is no valid JSON: see byte %d", s.at)
}

// members takes an object, which is the depth-th one around.
func (s *scanner) members(depth int, each func(name string, v value) error) error {
	s.at++
	if s.next() == '}' {
		s.at++
		return nil
	}
	for {
		if s.next() != '"' {
			return s.fault()
		}
		name, err := s.str()
		if err != nil {
			return err
		}
		if s.next() != ':' {
			return s.fault()
		}
		s.at++
		v, err := s.value(depth)
		if err != nil {
			return err
		}
		if err := each(name, v); err != nil {
			return err
		}
		if done, err := s.separator('}'); done || err != nil {
			return err
		}
	}
}

// items takes an array, as members does an object.
func (s *scanner) items(depth int, each func(value)) error {
	s.at++
	if s.next() == ']' {
		s.at++
		return nil
	}
	for {
		v, err := s.value(depth)
		if err != nil {
			return err
		}
		each(v)
		if done, err := s.separator(']'); done || err != nil {
			return err
		}
	}
}

func (s *scanner) separator(closing byte) (done bool, err error) {
	switch c := s.next(); c {
	case ',', closing:
		s.at++
		return c == closing, nil
	}
	return false, s.fault()
}

func (s *scanner) value(depth int) (value, error) {
	switch c := s.next(); c {
	case '"':
		str, err := s.str()
		return value{text, str}, err
	case '{', '[':
		return s.nested(c, depth+1)
	case 't':
		return s.word(boolean, "true")
	case 'f':
		return s.word(boolean, "false")
	case 'n':
		return s.word(null, "null")
	}
	return s.number()
}

func (s *scanner) nested(opening byte, depth int) (value, error) {
	if depth > maxDepth {
		return value{}, Errorf(InvalidJSON, "", "JSON may be nested %d deep at most", maxDepth)
	}
	start, kind := s.at, array
	var err error
	if opening == '{' {
		kind = object
		err = s.members(depth, func(string, value) error { return nil })
	} else {
		err = s.items(depth, func(value) {})
	}
	return value{kind, s.text[start:s.at]}, err
}

func (s *scanner) word(k kind, word string) (value, error) {
	if rest := s.text[s.at:]; len(rest) < len(word) || rest[:len(word)] != word {
		return value{}, s.fault()
	}
	s.at += len(word)
	return value{k, word}, nil
}

// number takes -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func (s *scanner) number() (value, error) {
	start := s.at
	s.skip("-")
	if !s.skip("0") && s.digits() == 0 {
		return value{}, s.fault()
	}
	if s.skip(".") && s.digits() == 0 {
		return value{}, s.fault()
	}
	if s.skip("eE") {
		s.skip("+-")
		if s.digits() == 0 {
			return value{}, s.fault()
		}
	}
	return value{number, s.text[start:s.at]}, nil
}

// skip takes one byte, if it is one of these.
func (s *scanner) skip(these string) bool {
	if s.at == len(s.text) || strings.IndexByte(these, s.text[s.at]) < 0 {
		return false
	}
	s.at++
	return true
}

func (s *scanner) digits() int {
	start := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	return s.at - start
}

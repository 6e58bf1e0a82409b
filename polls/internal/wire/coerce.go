package wire

import "strings"

// Has tells whether a parameter is given, of whatever type.
func (p *Params) Has(name string) bool {
	_, given := p.find(name)
	return given
}

// String is a text. A JSON number or boolean is taken as it was written.
func (p *Params) String(name string) (s string, given bool, err error) {
	v, given := p.find(name)
	if !given {
		return "", false, nil
	}
	s, ok := v.str()
	if !ok {
		return "", true, Errorf(InvalidParameter, name, "%s must be a text", name)
	}
	return s, true, nil
}

// Number is a whole number. What lies beyond [MaxNumber] on either side is taken
// as that bound.
func (p *Params) Number(name string) (n int64, given bool, err error) {
	v, given := p.find(name)
	if !given {
		return 0, false, nil
	}
	n, ok := v.number()
	if !ok {
		return 0, true, Errorf(InvalidParameter, name, "%s must be a whole number of at most 16 digits", name)
	}
	return n, true, nil
}

// Bool is true or false, or 1 or 0.
func (p *Params) Bool(name string) (b, given bool, err error) {
	v, given := p.find(name)
	if !given {
		return false, false, nil
	}
	b, ok := v.bool()
	if !ok {
		return false, true, Errorf(InvalidParameter, name, "%s must be true or false", name)
	}
	return b, true, nil
}

// NeedString is String for a parameter that must be given.
func (p *Params) NeedString(name string) (string, error) {
	s, given, err := p.String(name)
	if err == nil && !given {
		return "", Missing(name)
	}
	return s, err
}

// NeedNumber is Number for a parameter that must be given.
func (p *Params) NeedNumber(name string) (int64, error) {
	n, given, err := p.Number(name)
	if err == nil && !given {
		return 0, Missing(name)
	}
	return n, err
}

// ID is a number that can be that of something: positive and below [MaxNumber].
// It is for ids in paths, where anything else just names nothing.
func (p *Params) ID(name string) (id int64, ok bool) {
	id, given, err := p.Number(name)
	return id, given && err == nil && 0 < id && id < MaxNumber
}

func (p *Params) find(name string) (value, bool) {
	for i := range p.list {
		if p.list[i].name == name && p.list[i].value.given() {
			return p.list[i].value, true
		}
	}
	return value{}, false
}

func (v value) str() (string, bool) {
	return v.text, v.kind == text || v.kind == number || v.kind == boolean
}

func (v value) number() (int64, bool) {
	switch v.kind {
	case text:
		return digits(v.text)
	case number:
		return integral(v.text)
	}
	return 0, false
}

func (v value) bool() (b, ok bool) {
	switch v.kind {
	case boolean:
		return v.text == "true", true
	case number:
		n, ok := integral(v.text)
		return n == 1, ok && (n == 0 || n == 1)
	case text:
		b = v.text == "1" || strings.EqualFold(v.text, "true")
		return b, b || v.text == "0" || strings.EqualFold(v.text, "false")
	}
	return false, false
}

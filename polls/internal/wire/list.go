package wire

import "strings"

// Strings is a list of texts: a JSON array, or one text with commas. Blanks
// around a text and empty texts do not count.
func (p *Params) Strings(name string) (list []string, given bool, err error) {
	values, given, err := p.values(name)
	if err != nil || !given {
		return nil, given, err
	}
	list = make([]string, 0, len(values))
	for _, v := range values {
		s, ok := v.str()
		if v.given() && !ok {
			return nil, true, Errorf(InvalidParameter, name, "%s must be a list of texts", name)
		}
		if s = strings.TrimSpace(s); ok && s != "" {
			list = append(list, s)
		}
	}
	return list, true, nil
}

// Numbers is a list of whole numbers, given like Strings. Nothing in it may be
// anything else.
func (p *Params) Numbers(name string) (list []int64, given bool, err error) {
	values, given, err := p.values(name)
	if err != nil || !given {
		return nil, given, err
	}
	list = make([]int64, 0, len(values))
	for _, v := range values {
		n, ok := v.number()
		if !ok {
			return nil, true, Errorf(InvalidParameter, name, "%s must be a list of whole numbers", name)
		}
		list = append(list, n)
	}
	return list, true, nil
}

func (p *Params) values(name string) (list []value, given bool, err error) {
	v, given := p.find(name)
	switch {
	case !given:
		return nil, false, nil
	case v.kind == array:
		list, err = elements(v.text)
		return list, true, err
	case v.kind == text:
		for part := range strings.SplitSeq(v.text, ",") {
			list = append(list, value{text, part})
		}
		return list, true, nil
	}
	return []value{v}, true, nil
}

package inventory

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// issue is a fault of the schema before it is told: a branch of anyOf that does
// not fit has issues that nobody hears of.
type issue struct {
	code    Code
	at      Place
	path    string
	message string
	hint    string
	near    string // what an unknown member was probably meant to be
}

func fails(code Code, at Place, path, message, hint string) issue {
	return issue{code: code, at: at, path: path, message: message, hint: hint}
}

// way is the path to a value, from the bottom up.
type way struct {
	up   *way
	name string
}

func (w *way) segments() []string {
	var s []string
	for ; w != nil; w = w.up {
		s = append(s, w.name)
	}
	slices.Reverse(s)
	return s
}

func (w *way) pointer() string { return pointer(w.segments()...) }

func (w *way) item(i int) *way { return &way{w, strconv.Itoa(i)} }

func (w *way) member(name string) *way { return &way{w, name} }

// leaf is the name of the value itself, for messages.
func (w *way) leaf() string {
	if w == nil {
		return "the document"
	}
	if _, err := strconv.Atoi(w.name); err == nil && w.up != nil {
		return "an item of " + w.up.leaf()
	}
	return w.name
}

// check is what is wrong with v, found added.
func (s *schema) check(v *Value, w *way, found []issue) []issue {
	if s == nil || len(found) >= maxFaults {
		return found
	}
	if len(s.types) > 0 && !slices.ContainsFunc(s.types, v.is) {
		return append(found, typeIssue(v, w, s.types))
	}
	if s.enum != nil && !slices.ContainsFunc(s.enum, func(e *Value) bool { return equal(e, v) }) {
		return append(found, s.enumIssue(v, w))
	}
	found = s.bounds(v, w, found)
	switch v.Kind {
	case Map:
		found = s.members(v, w, found)
	case List:
		found = s.list(v, w, found)
	}
	for _, all := range s.allOf {
		found = all.check(v, w, found)
	}
	if s.anyOf != nil {
		found = s.anyBranch(s.anyOf, SchemaAnyOf, v, w, found)
	}
	if s.oneOf != nil {
		found = s.anyBranch(s.oneOf, SchemaOneOf, v, w, found)
	}
	return found
}

// is tells whether a value has a type of JSON Schema: 10.0 is an integer, a
// boolean is not.
func (v *Value) is(kind string) bool {
	switch kind {
	case "string":
		return v.Kind == String
	case "boolean":
		return v.Kind == Bool
	case "integer":
		if v.Kind == Int {
			return true
		}
		_, whole := v.Int()
		return whole
	case "number":
		return v.Kind == Int || v.Kind == Float
	case "array":
		return v.Kind == List
	case "object":
		return v.Kind == Map
	case "null":
		return v.Kind == Null
	}
	return false
}

var typeNames = map[string]string{
	"string": "a text", "boolean": "true or false", "integer": "a whole number", "number": "a number", "array": "a list", "object": "an object",
}

func typeIssue(v *Value, w *way, types []string) issue {
	var wants []string
	for _, t := range types {
		if name := typeNames[t]; !slices.Contains(wants, name) {
			wants = append(wants, name)
		}
	}
	i := issue{code: SchemaType, at: v.At, path: w.pointer()}
	i.message = fmt.Sprintf("%s is %s, want %s", w.leaf(), describe(v), listed(wants, "or"))
	switch {
	case v.Kind == Null:
		i.hint = "leave the member out, or give it a value"
	case isTemplate(v):
		i.hint = "a template is a text, and no text is allowed here"
	case slices.Contains(types, "string") && v.Kind != List && v.Kind != Map:
		i.hint = "put it in quotes: " + strconv.Quote(scalarText(v))
	case v.Kind == String && slices.Contains(types, "integer") || v.Kind == String && slices.Contains(types, "boolean"):
		if plain, ok := resolvePlain(v.Text); ok && (plain.Kind == Int || plain.Kind == Bool) {
			i.hint = "leave out the quotes"
		}
	}
	return i
}

// describe says what a value is, with its text when it is short.
func describe(v *Value) string {
	switch v.Kind {
	case List, Map, Null:
		return kindName(v)
	case String:
		return "the text " + strconv.Quote(short(v.Text))
	case Float:
		return "the number " + scalarText(v)
	case Int:
		return "the whole number " + short(scalarText(v))
	}
	return kindName(v) + " (" + scalarText(v) + ")"
}

func (s *schema) enumIssue(v *Value, w *way) issue {
	var allowed, shown []string
	for _, e := range s.enum {
		allowed = append(allowed, scalarText(e))
		shown = append(shown, quoted(e))
	}
	i := issue{code: SchemaEnum, at: v.At, path: w.pointer()}
	i.message = fmt.Sprintf("%s is %s, want %s", w.leaf(), describe(v), listed(shown, "or"))
	if v.Kind == String {
		i.hint = didYouMean(v.Text, allowed)
		if isTemplate(v) {
			i.hint = "a template is not allowed here: the value is checked before rendering"
		}
	}
	return i
}

func quoted(v *Value) string {
	if v.Kind == String {
		return strconv.Quote(v.Text)
	}
	return scalarText(v)
}

func isTemplate(v *Value) bool {
	return v.Kind == String && (strings.Contains(v.Text, "{{") || strings.Contains(v.Text, "{%"))
}

func (s *schema) bounds(v *Value, w *way, found []issue) []issue {
	if s.minLength > 0 && v.Kind == String && utf8.RuneCountInString(v.Text) < s.minLength {
		found = append(found, fails(SchemaLength, v.At, w.pointer(), w.leaf()+" is blank, want some text", ""))
	}
	n, ok := v.Number()
	if !ok || s.minimum == nil && s.maximum == nil {
		return found
	}
	if s.minimum != nil && n < *s.minimum || s.maximum != nil && n > *s.maximum {
		found = append(found, fails(SchemaRange, v.At, w.pointer(),
			fmt.Sprintf("%s is %s, want %s", w.leaf(), short(scalarText(v)), rangeText(s.minimum, s.maximum)), ""))
	}
	return found
}

func rangeText(low, high *float64) string {
	switch {
	case low == nil:
		return fmt.Sprintf("at most %v", *high)
	case high == nil:
		return fmt.Sprintf("at least %v", *low)
	}
	return fmt.Sprintf("%v to %v", *low, *high)
}

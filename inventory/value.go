package inventory

import (
	"math"
	"strconv"
)

// Kind is what a value is.
type Kind uint8

const (
	Null Kind = iota
	Bool
	Int
	Float
	String
	Time // a plain YAML date; no type of the schema fits it
	List
	Map
)

// Place is where something stands in its file, both from 1, columns in code
// points. The zero Place is nowhere.
type Place struct{ Line, Column int32 }

// Value is one value of a document: a scalar, a list or a map in order.
type Value struct {
	Kind    Kind
	Text    string // of a String or Time; the digits of an Int beyond 64 bits
	bits    uint64 // of a Bool, Int or Float
	Items   []*Value
	Members []Member
	At      Place
	Origin  *Origin // nil: the document, as written
	index   map[string]int
}

// Member is a named value of a map.
type Member struct {
	Name   string
	At     Place // of the name
	Untext bool  // the name was written as a number, a bool or nothing
	Value  *Value
}

// indexFrom is the size from which a map keeps an index of its names.
const indexFrom = 12

// NewString makes a text.
func NewString(s string) *Value { return &Value{Kind: String, Text: s} }

// NewInt makes a whole number.
func NewInt(n int64) *Value { return &Value{Kind: Int, bits: uint64(n)} }

// NewBool makes a truth value.
func NewBool(b bool) *Value {
	v := &Value{Kind: Bool}
	if b {
		v.bits = 1
	}
	return v
}

// NewList makes a list.
func NewList(items ...*Value) *Value { return &Value{Kind: List, Items: items} }

// NewMap makes an empty map.
func NewMap() *Value { return &Value{Kind: Map} }

func newFloat(f float64) *Value { return &Value{Kind: Float, bits: math.Float64bits(f)} }

func newStrings(texts ...string) *Value {
	list := &Value{Kind: List, Items: make([]*Value, len(texts))}
	for i, t := range texts {
		list.Items[i] = NewString(t)
	}
	return list
}

// Bool is the truth of a Bool; of anything else, false.
func (v *Value) Bool() bool { return v != nil && v.Kind == Bool && v.bits != 0 }

// Int is a whole number that fits; a Float with a zero fraction is one too.
func (v *Value) Int() (int64, bool) {
	switch {
	case v == nil:
	case v.Kind == Int && v.Text == "":
		return int64(v.bits), true
	case v.Kind == Float:
		f := math.Float64frombits(v.bits)
		return int64(f), f == math.Trunc(f) && math.Abs(f) < 1<<53
	}
	return 0, false
}

// Number is an Int or a Float.
func (v *Value) Number() (float64, bool) {
	switch {
	case v == nil:
	case v.Kind == Float:
		return math.Float64frombits(v.bits), true
	case v.Kind == Int && v.Text != "":
		f, _ := strconv.ParseFloat(v.Text, 64)
		return f, true
	case v.Kind == Int:
		return float64(int64(v.bits)), true
	}
	return 0, false
}

// Str is the text of a String; of anything else, "".
func (v *Value) Str() string {
	if v == nil || v.Kind != String {
		return ""
	}
	return v.Text
}

// find is the position of a member, -1 when there is none.
func (v *Value) find(name string) int {
	if v == nil {
		return -1
	}
	if v.index != nil {
		if i, ok := v.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range v.Members {
		if v.Members[i].Name == name {
			return i
		}
	}
	return -1
}

// Get is what stands at the end of these names; nil when there is nothing.
func (v *Value) Get(names ...string) *Value {
	for _, name := range names {
		i := v.find(name)
		if i < 0 {
			return nil
		}
		v = v.Members[i].Value
	}
	return v
}

// Set gives a map a member, in the place of one of that name or at the end.
func (v *Value) Set(name string, value *Value) {
	if i := v.find(name); i >= 0 {
		v.Members[i].Value = value
		return
	}
	v.add(Member{Name: name, Value: value})
}

// add appends a member whose name is new.
func (v *Value) add(m Member) {
	v.Members = append(v.Members, m)
	switch {
	case v.index != nil:
		v.index[m.Name] = len(v.Members) - 1
	case len(v.Members) == indexFrom:
		v.reindex()
	}
}

func (v *Value) reindex() {
	v.index = nil
	if len(v.Members) < indexFrom {
		return
	}
	v.index = make(map[string]int, 2*len(v.Members))
	for i := range v.Members {
		v.index[v.Members[i].Name] = i
	}
}

// Delete takes a member out of a map.
func (v *Value) Delete(name string) {
	if i := v.find(name); i >= 0 {
		v.Members = append(v.Members[:i], v.Members[i+1:]...)
		v.reindex()
	}
}

// clone copies a value and everything below it.
func (v *Value) clone() *Value {
	if v == nil {
		return nil
	}
	c := *v
	c.index = nil
	if v.Items != nil {
		c.Items = make([]*Value, len(v.Items))
		for i, item := range v.Items {
			c.Items[i] = item.clone()
		}
	}
	if v.Members != nil {
		c.Members = make([]Member, len(v.Members))
		for i, m := range v.Members {
			m.Value = m.Value.clone()
			c.Members[i] = m
		}
		c.reindex()
	}
	return &c
}

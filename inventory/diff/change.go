package diff

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"stoa/inventory"
)

// Change is one value that is not what it was.
type Change struct {
	Path   string          `json:"path"` // JSON pointer; of the old document for what is removed
	Kind   Kind            `json:"change"`
	Old    json.RawMessage `json:"old,omitempty"`
	New    json.RawMessage `json:"new,omitempty"`
	Secret bool            `json:"secret,omitempty"` // the values are masked
	From   *From           `json:"from,omitempty"`   // of the new value

	path []string
}

// From is where a value comes from.
type From struct {
	Origin   inventory.OriginKind `json:"origin"`
	File     string               `json:"file,omitempty"`
	Line     int                  `json:"line,omitempty"`
	Column   int                  `json:"column,omitempty"`
	Template string               `json:"template,omitempty"` // as written
	Rule     string               `json:"rule,omitempty"`     // how it was calculated
	Patch    int                  `json:"patch,omitempty"`    // its number, from 1
}

// add notes a change; what kind it is shows by what is there, unless it is given.
func (c *comparer) add(path []string, old, new *inventory.Value, kind Kind) {
	change := Change{Path: pointer(path), Kind: kind, path: path}
	switch {
	case kind != "":
	case old == nil:
		change.Kind = Added
	case new == nil:
		change.Kind = Removed
	default:
		change.Kind = Changed
	}
	if old != nil {
		change.Old = encode(masked(path, old))
	}
	if new != nil {
		change.New = encode(masked(path, new))
		change.From = c.from(telling(old, new))
	}
	if change.Secret = inventory.SecretPath(path) || bytes.Equal(change.Old, change.New); change.Secret && change.From != nil {
		change.From.Template = ""
	}
	c.list = append(c.list, change)
}

// telling is the part of a new value whose origin explains the change: of a list
// the first item that is new, of a map without an origin its first member.
func telling(old, new *inventory.Value) *inventory.Value {
	if old != nil && old.Kind == inventory.List && new.Kind == inventory.List {
		if _, come := unmatched(old, new); len(come) > 0 {
			return telling(nil, new.Items[come[0]])
		}
	}
	for new.Origin == nil && new.At.Line == 0 && len(new.Members) > 0 {
		new = new.Members[0].Value
	}
	return new
}

// from is the origin of a value; nil when it has none worth telling.
func (c *comparer) from(v *inventory.Value) *From {
	o := inventory.OriginOf(v)
	if o.Kind == inventory.FromDocument && o.At.Line == 0 {
		return nil
	}
	f := &From{Origin: o.Kind, Template: inventory.MaskText(o.Source), Rule: o.Rule, Patch: o.Patch}
	if o.At.Line > 0 {
		f.File, f.Line, f.Column = c.file, int(o.At.Line), int(o.At.Column)
	}
	return f
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

// pointer is a path as a JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, name := range path {
		b.WriteByte('/')
		_, _ = escape.WriteString(&b, name) // into memory
	}
	return b.String()
}

// encode is a value as JSON on one line.
func encode(v *inventory.Value) json.RawMessage {
	var long, short bytes.Buffer
	if err := inventory.WriteJSON(&long, v); err != nil {
		return nil // a buffer takes everything
	}
	if err := json.Compact(&short, long.Bytes()); err != nil {
		return nil
	}
	return short.Bytes()
}

// identity is a text that values share that mean the same.
func identity(v *inventory.Value) string {
	switch v.Kind {
	case inventory.Map:
		parts := make([]string, len(v.Members))
		for i, m := range v.Members {
			parts[i] = string(encode(inventory.NewString(m.Name))) + ":" + identity(m.Value)
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	case inventory.List:
		parts := make([]string, len(v.Items))
		for i, item := range v.Items {
			parts[i] = identity(item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	if n, ok := v.Int(); ok {
		return string(encode(inventory.NewInt(n)))
	}
	return string(encode(v))
}

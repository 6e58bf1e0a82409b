package inventory

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Explanation says where one value comes from.
type Explanation struct {
	Path     string     `json:"path"` // JSON pointer
	Value    jsonValue  `json:"value"`
	Origin   OriginKind `json:"origin"`
	File     string     `json:"file,omitempty"`
	Line     int        `json:"line,omitempty"`
	Column   int        `json:"column,omitempty"`
	Template string     `json:"template,omitempty"` // as written
	Rule     string     `json:"rule,omitempty"`     // how it was calculated
	Patch    int        `json:"patch,omitempty"`    // its number in the document, from 1
}

type jsonValue struct{ *Value }

func (v jsonValue) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	appendJSON(&b, v.Value, "")
	return []byte(b.String()), nil
}

// Explain says where a value comes from; for a map or a list, where each value
// in it does. The path is a JSON pointer or dotted. With a node, kernel
// parameters are those of this node, and what the document does not have is
// looked for in the node and in its View.
func (inv *Inventory) Explain(path string, n *Node) ([]Explanation, error) {
	roots := []*Value{inv.Root}
	if n != nil {
		own := *inv.Root
		own.Members = append([]Member(nil), inv.Root.Members...)
		services := *inv.Root.Get("services")
		services.Members = append([]Member(nil), services.Members...)
		services.Set("sysctl", n.sysctl)
		own.Set("services", &services)
		roots = []*Value{&own, n.Value, inv.View(n)}
	}
	near := ""
	for _, root := range roots {
		segments, missing := locate(root, path)
		if missing == "" {
			return slices.Collect(inv.explain(root.at(segments), segments)), nil
		}
		if near == "" {
			near = didYouMean(missing, sortedNames(deepest(root, path)))
		}
	}
	if near != "" {
		return nil, fmt.Errorf("there is nothing at %s: %s", path, near)
	}
	return nil, fmt.Errorf("there is nothing at %s", path)
}

// Values says where every value comes from: of the whole document as it is used, or of
// the View of one node.
func (inv *Inventory) Values(n *Node) iter.Seq[Explanation] {
	if n != nil {
		return inv.explain(inv.View(n), nil)
	}
	return inv.explain(inv.Root, nil)
}

// explain goes through what stands at a path, in order.
func (inv *Inventory) explain(v *Value, segments []string) iter.Seq[Explanation] {
	return func(yield func(Explanation) bool) { inv.walk(v, segments, yield) }
}

// walk goes on until yield wants no more, and then is false.
func (inv *Inventory) walk(v *Value, segments []string, yield func(Explanation) bool) bool {
	for _, m := range v.Members {
		if !inv.walk(m.Value, append(segments[:len(segments):len(segments)], m.Name), yield) {
			return false
		}
	}
	for i, item := range v.Items {
		if !inv.walk(item, append(segments[:len(segments):len(segments)], strconv.Itoa(i)), yield) {
			return false
		}
	}
	if len(v.Members)+len(v.Items) > 0 {
		return true
	}
	o := OriginOf(v)
	e := Explanation{Path: pointer(segments...), Value: jsonValue{v}, Origin: o.Kind, Template: o.Source, Rule: o.Rule, Patch: o.Patch}
	if o.At.Line > 0 {
		e.File, e.Line, e.Column = inv.Document.Name, int(o.At.Line), int(o.At.Column)
	}
	return yield(e)
}

// Masked is an explanation without what is secret in it, and whether there is such a thing.
func (e Explanation) Masked() (Explanation, bool) {
	names := slices.DeleteFunc(splitPointer(e.Path), func(s string) bool { return strings.Trim(s, "0123456789") == "" })
	text := e.Value.Str()
	hidden := MaskText(text)
	if text != "" && SecretPath(names) {
		hidden = Mask
		e.Template = ""
	}
	e.Template = MaskText(e.Template)
	if hidden == text {
		return e, false
	}
	e.Value = jsonValue{NewString(hidden)}
	return e, true
}

// locate finds the segments of a path. Names may have dots themselves, so the
// longest name that is there wins. missing is the first part that leads nowhere.
func locate(root *Value, path string) (segments []string, missing string) {
	if path == "" || strings.HasPrefix(path, "/") {
		segments = splitPointer(path)
		for i := range segments {
			if root.at(segments[:i+1]) == nil {
				return nil, segments[i]
			}
		}
		return segments, ""
	}
	v := root
	for rest := splitDotted(path); len(rest) > 0; {
		taken := 0
		for n := len(rest); n > 0; n-- {
			name := strings.Join(rest[:n], ".")
			if next := v.at([]string{name}); next != nil {
				v, taken = next, n
				segments = append(segments, name)
				break
			}
		}
		if taken == 0 {
			return nil, rest[0]
		}
		rest = rest[taken:]
	}
	return segments, ""
}

// deepest is the last map on the way of a path that leads nowhere.
func deepest(root *Value, path string) *Value {
	v := root
	parts := splitDotted(path)
	if strings.HasPrefix(path, "/") {
		parts = splitPointer(path)
	}
	for _, s := range parts {
		next := v.at([]string{s})
		if next == nil {
			break
		}
		v = next
	}
	return v
}

// splitDotted splits a.b[0]["c.d"] into its names.
func splitDotted(path string) []string {
	var parts []string
	for path != "" {
		switch {
		case strings.HasPrefix(path, "["):
			name, rest, _ := strings.Cut(path[1:], "]")
			if q := name; len(q) > 1 && q[0] == q[len(q)-1] && (q[0] == '"' || q[0] == '\'') {
				name = q[1 : len(q)-1]
			}
			parts = append(parts, name)
			path = strings.TrimPrefix(rest, ".")
		default:
			i := strings.IndexAny(path, ".[")
			if i < 0 {
				return append(parts, path)
			}
			parts = append(parts, path[:i])
			path = strings.TrimPrefix(path[i:], ".")
		}
	}
	return parts
}

// WriteExplanations writes explanations for people.
func WriteExplanations(w io.Writer, list []Explanation) error {
	var b strings.Builder
	for _, e := range list {
		var value strings.Builder
		appendJSON(&value, e.Value.Value, "")
		fmt.Fprintf(&b, "%s = %s\n    %s\n", dotted(splitPointer(e.Path)), short300(value.String()), e.text())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (e Explanation) text() string {
	place := ""
	if e.Line > 0 {
		place = fmt.Sprintf(" at %s:%d:%d", e.File, e.Line, e.Column)
	}
	text := string(e.Origin)
	switch e.Origin {
	case FromPatch:
		text = "patch " + strconv.Itoa(e.Patch)
		if e.Patch == 0 {
			text = "automatic patch: " + e.Rule
		}
	case FromCalculation:
		text = "calculated: " + e.Rule
		if place != "" {
			return text + "," + place
		}
	}
	if e.Template != "" {
		place += ": " + short(e.Template)
	}
	return text + place
}

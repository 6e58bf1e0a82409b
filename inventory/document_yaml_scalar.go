package inventory

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// scalar types a scalar by its tag, its quotes or, plain, by what it looks like.
func (r *yamlReader) scalar(n *yaml.Node, v *Value) {
	at := v.At
	defer func() { v.At = at }()
	if n.Style&yaml.TaggedStyle == 0 {
		if n.Style&quotedStyles != 0 {
			v.Kind, v.Text = String, n.Value
			return
		}
		plain, ok := resolvePlain(n.Value)
		if !ok {
			r.refuse(ParseNumber, n, "", "number %s is out of range", short(n.Value))
			return
		}
		*v = *plain
		return
	}
	r.tagged(n, v)
}

// tagged types a scalar that says its type itself.
func (r *yamlReader) tagged(n *yaml.Node, v *Value) {
	plain, ok := resolvePlain(n.Value)
	fits := false
	switch strings.TrimPrefix(n.Tag, "tag:yaml.org,2002:") {
	case "!", "!!str", "!!binary":
		v.Kind, v.Text = String, n.Value
		return
	case "!!int":
		fits = ok && plain.Kind == Int
	case "!!float":
		if fits = ok && (plain.Kind == Int || plain.Kind == Float); fits {
			f, _ := plain.Number()
			plain = newFloat(f)
		}
	case "!!bool":
		fits = ok && plain.Kind == Bool
	case "!!null":
		fits = ok && plain.Kind == Null
	case "!!timestamp":
		fits = ok && plain.Kind == Time
	default:
		r.refuse(ParseTag, n, "remove it", "unknown tag %s", short(n.Tag))
		return
	}
	if !fits {
		r.refuse(ParseTag, n, "", "%q is no %s", short(n.Value), strings.TrimPrefix(n.Tag, "!!"))
		return
	}
	*v = *plain
}

func (r *yamlReader) collectionTag(n *yaml.Node) {
	if n.Style&yaml.TaggedStyle == 0 {
		return
	}
	want := "!!seq"
	if n.Kind == yaml.MappingNode {
		want = "!!map"
	}
	if n.ShortTag() != want {
		r.refuse(ParseTag, n, "remove it", "unknown tag %s", short(n.Tag))
	}
}

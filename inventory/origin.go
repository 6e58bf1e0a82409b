package inventory

// OriginKind says which stage a value comes from.
type OriginKind string

const (
	FromDocument     OriginKind = "document"      // as written
	FromTemplate     OriginKind = "template"      // a template of the document, rendered
	FromDefault      OriginKind = "default"       // a constant of ours
	FromCalculation  OriginKind = "calculated"    // made of other values
	FromNodeDefaults OriginKind = "node_defaults" // copied to a node
	FromPatch        OriginKind = "patch"         // of one node
)

// Origin is where a value comes from, for those who ask.
type Origin struct {
	Kind   OriginKind
	At     Place  // in the document; zero when it is not from there
	Source string // the template as written
	Rule   string // how a calculated value is made, in words
	Patch  int    // number of the patch in the document, from 1; 0: one of ours

	calc func(*renderer) (*Value, error) // makes a value that waits for others
}

func byDefault(v *Value) *Value { return v.mark(&Origin{Kind: FromDefault}) }

func calculated(rule string, v *Value) *Value {
	return v.mark(&Origin{Kind: FromCalculation, Rule: rule})
}

// later is a scalar that is made of others when these are known.
func later(rule string, calc func(*renderer) (*Value, error)) *Value {
	return &Value{Kind: String, Origin: &Origin{Kind: FromCalculation, Rule: rule, calc: calc}}
}

// laterText is a text made around another one.
func laterText(rule, before string, names []string, after string) *Value {
	return later(rule, func(e *renderer) (*Value, error) {
		text, err := e.text(names...)
		return NewString(before + text + after), err
	})
}

// mark gives a fresh value and all below it one origin.
func (v *Value) mark(o *Origin) *Value {
	v.Origin = o
	for _, item := range v.Items {
		item.mark(o)
	}
	for i := range v.Members {
		v.Members[i].Value.mark(o)
	}
	return v
}

// OriginOf is the origin of a value, written out.
func OriginOf(v *Value) Origin {
	if v.Origin == nil {
		return Origin{Kind: FromDocument, At: v.At}
	}
	return *v.Origin
}

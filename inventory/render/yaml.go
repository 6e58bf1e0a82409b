package render

import (
	"bytes"

	"stoa/inventory"
)

// yamlDocuments is values as YAML, one document each.
func yamlDocuments(values ...*inventory.Value) ([]byte, error) {
	var b bytes.Buffer
	for i, v := range values {
		if i > 0 {
			b.WriteString("---\n")
		}
		if err := inventory.WriteYAML(&b, v); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// object makes a map of name, value, name, value …; a value is a text, a bool, a
// list of texts or a Value. Nothing (nil, an absent Value) leaves its name out.
func object(pairs ...any) *inventory.Value {
	m := inventory.NewMap()
	for i := 0; i < len(pairs); i += 2 {
		if v := value(pairs[i+1]); v != nil {
			m.Set(pairs[i].(string), v)
		}
	}
	return m
}

func value(of any) *inventory.Value {
	switch of := of.(type) {
	case string:
		return inventory.NewString(of)
	case bool:
		return inventory.NewBool(of)
	case []string:
		return inventory.NewStrings(of...)
	case *inventory.Value:
		return of
	}
	return nil
}

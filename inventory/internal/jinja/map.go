package jinja

import "math"

// Map is a mapping that keeps its order. The zero value is an empty one. Many
// templates may read a Map at once as long as nobody sets.
type Map struct {
	entries []entry
	index   map[any]int // nil while there are few entries
	own     bool        // made by a template, which may therefore change it
}

type entry struct{ key, value any }

const indexFrom = 12

// Get returns the value of a key, which may be a Lazy one.
func (m *Map) Get(key string) (any, bool) {
	if m.index != nil {
		if i, ok := m.index[key]; ok {
			return m.entries[i].value, true
		}
		return nil, false
	}
	for i := range m.entries {
		if k, ok := m.entries[i].key.(string); ok && k == key {
			return m.entries[i].value, true
		}
	}
	return nil, false
}

// Set puts a value under a key, in place if the key is there already.
func (m *Map) Set(key string, value any) { m.put(key, value) }

// SetKey is Set for the other keys a document may have: nil, bool, int64 and
// float64. As in Python true, 1 and 1.0 are one key.
func (m *Map) SetKey(key, value any) error {
	if _, err := hashable(key); err != nil {
		return err
	}
	m.put(key, value)
	return nil
}

// Keys returns the keys in order, in Python's spelling where they are no text.
func (m *Map) Keys() []string {
	keys := make([]string, len(m.entries))
	for i, e := range m.entries {
		if s, ok := e.key.(string); ok {
			keys[i] = s
		} else {
			keys[i] = spellScalar(e.key)
		}
	}
	return keys
}

// Len returns the number of keys.
func (m *Map) Len() int { return len(m.entries) }

func (m *Map) put(key, value any) {
	if i := m.find(key); i >= 0 {
		m.entries[i].value = value
		return
	}
	m.entries = append(m.entries, entry{key, value})
	switch {
	case m.index != nil:
		m.index[hashOf(key)] = len(m.entries) - 1
	case len(m.entries) >= indexFrom:
		m.reindex()
	}
}

func (m *Map) find(key any) int {
	hash := hashOf(key)
	if m.index != nil {
		if i, ok := m.index[hash]; ok {
			return i
		}
		return -1
	}
	for i, e := range m.entries {
		if hashOf(e.key) == hash {
			return i
		}
	}
	return -1
}

func (m *Map) remove(i int) {
	m.entries = append(m.entries[:i:i], m.entries[i+1:]...)
	m.index = nil
	if len(m.entries) >= indexFrom {
		m.reindex()
	}
}

func (m *Map) reindex() {
	m.index = make(map[any]int, 2*len(m.entries))
	for i, e := range m.entries {
		m.index[hashOf(e.key)] = i
	}
}

func (m *Map) copy() *Map {
	c := &Map{own: true}
	for _, e := range m.entries {
		c.put(e.key, e.value)
	}
	return c
}

// tupleHash stands for a tuple as a key; its text is the tuple's spelling.
type tupleHash string

const maxKey = 1 << 16

// hashable returns what stands for a key, equal for keys that Python calls
// equal.
func hashable(v any) (any, error) {
	switch v := v.(type) {
	case nil, string:
		return v, nil
	case bool, int64, float64:
		return hashOf(v), nil
	case Tuple:
		var b []byte
		for _, item := range v {
			h, err := hashable(item)
			if err != nil {
				return nil, err
			}
			switch h := h.(type) {
			case string:
				b = appendQuoted(b, h)
			case tupleHash:
				b = append(append(append(b, '('), h...), ')')
			default:
				b = append(b, spellScalar(h)...)
			}
			b = append(b, ',')
			if len(b) > maxKey {
				return nil, fail("a key is longer than %d bytes", maxKey)
			}
		}
		return tupleHash(b), nil
	}
	return nil, fail("%s cannot be a key", kindOf(v))
}

func hashOf(v any) any {
	switch v := v.(type) {
	case bool:
		return integerOf(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<62 {
			return int64(v)
		}
	case Tuple:
		if h, err := hashable(v); err == nil {
			return h
		}
		return tupleHash("")
	}
	return v
}

package ratelimit

// keyMaker writes counter keys: PREFIX DOMAIN _ (KEY _ VALUE _)* WINDOW.
type keyMaker struct{ prefix string }

// append writes the key of a descriptor. Where a level of the rule shares its
// threshold, the pattern takes the place of the value.
func (k keyMaker) append(dst []byte, domain string, entries []Entry, r *Rule, l Limit, w Window) []byte {
	dst = append(dst, k.prefix...)
	dst = append(dst, domain...)
	dst = append(dst, '_')
	for i := range entries {
		value := entries[i].Value
		if r != nil && r.shares && r.levels[i].share {
			value = r.levels[i].shared()
		}
		dst = append(dst, entries[i].Key...)
		dst = append(dst, '_')
		dst = append(dst, value...)
		dst = append(dst, '_')
	}
	return appendWindow(dst, l, w)
}

// shared is the text that stands for every value of a node.
func (n *node) shared() string {
	if n.value.text == "" {
		return n.key.text
	}
	return n.value.text
}

package inventory

// Scalar is the text of anything that is no list and no map, as YAML spells it;
// of nothing, "".
func (v *Value) Scalar() string {
	if v == nil || v.Kind == Null || v.Kind == List || v.Kind == Map {
		return ""
	}
	return scalarText(v)
}

// Strings is the scalars of a list; of a single one, that.
func (v *Value) Strings() []string {
	switch {
	case v == nil || v.Kind == Null || v.Kind == Map:
		return nil
	case v.Kind != List:
		return []string{v.Scalar()}
	}
	var list []string
	for _, item := range items(v) {
		list = append(list, item.Scalar())
	}
	return list
}

// NewStrings makes a list of texts.
func NewStrings(texts ...string) *Value { return newStrings(texts...) }

// VRRPOn is the VRRP addresses that a node may carry.
func (inv *Inventory) VRRPOn(n *Node) []*VRRP {
	var list []*VRRP
	for _, v := range inv.VRRP {
		if v.On(n) != nil {
			list = append(list, v)
		}
	}
	return list
}

package diff

import "stoa/inventory"

// masked is a value without the texts that are secrets.
func masked(path []string, v *inventory.Value) *inventory.Value {
	switch {
	case v.Kind == inventory.Map:
		m := inventory.NewMap()
		for _, member := range v.Members {
			m.Set(member.Name, masked(below(path, member.Name), member.Value))
		}
		return m
	case v.Kind == inventory.List:
		list := inventory.NewList()
		for _, item := range v.Items {
			list.Items = append(list.Items, masked(path, item))
		}
		return list
	case v.Kind == inventory.String && v.Text != "" && inventory.SecretPath(path):
		return inventory.NewString(inventory.Mask)
	case v.Kind == inventory.String:
		return inventory.NewString(inventory.MaskText(v.Text))
	}
	return v
}

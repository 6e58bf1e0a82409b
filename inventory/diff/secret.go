package diff

import (
	"slices"
	"strings"

	"stoa/inventory"
)

// secret tells by its name that a value is one.
func secret(path []string) bool {
	if len(path) == 0 {
		return false
	}
	name := path[len(path)-1]
	return inventory.SecretName(name) || name == "key" && slices.ContainsFunc(path, func(above string) bool { return strings.Contains(above, "certificate") })
}

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
	case v.Kind == inventory.String && v.Text != "" && secret(path):
		return inventory.NewString(inventory.Mask)
	case v.Kind == inventory.String:
		return inventory.NewString(hide(v.Text))
	}
	return v
}

// hide masks passwords within a text.
func hide(text string) string { return inventory.MaskLines(inventory.MaskAddresses(text)) }

package render

import "stoa/inventory"

// accounts is the objects of all accounts, to be applied in this order.
func (r *renderer) accounts() error {
	var objects []*inventory.Value
	f := File{Path: "accounts.yaml", Mode: public}
	for _, account := range list(r.inv.Root.Get("rbac", "accounts")) {
		for _, config := range list(account.Get("configs")) {
			if config.Get("kind").Str() == "Secret" && r.hideData(&config) {
				f.Secret, f.Mode = true, private
			}
			objects = append(objects, config)
		}
	}
	if len(objects) == 0 {
		return nil
	}
	f.Masked = f.Secret && !r.o.Secrets
	return r.yaml(nil, f, objects...)
}

// hideData masks what a Secret of the operator's own carries, and tells whether
// it carries anything.
func (r *renderer) hideData(secret **inventory.Value) bool {
	shown, has := copyOf(*secret), false
	for _, name := range []string{"data", "stringData"} {
		data := inventory.NewMap()
		for _, m := range members(shown.Get(name)) {
			has = true
			data.Set(m.Name, inventory.NewString(inventory.Mask))
		}
		if len(data.Members) > 0 {
			shown.Set(name, data)
		}
	}
	if has && !r.o.Secrets {
		*secret = shown
	}
	return has
}

package render

import (
	"strings"

	"stoa/inventory"
)

// auditRules is what the kernel's audit daemon watches.
func (r *renderer) auditRules(n *inventory.Node) error {
	rules, location := r.services("audit", "rules").Strings(), r.location("audit")
	if len(rules) == 0 || location == "" {
		return nil
	}
	return r.add(n, File{Path: location, Mode: 0o640, Content: []byte(strings.Join(rules, "\n") + "\n")})
}

// auditPolicy is what the API server writes down; it lies where the flag of the
// API server says.
func (r *renderer) auditPolicy(n *inventory.Node) error {
	policy, place := r.services("audit", "cluster_policy"), r.services("kubeadm", "apiServer", "extraArgs", "audit-policy-file").Str()
	if !n.Has(inventory.ControlPlane) || policy == nil || place == "" {
		return nil
	}
	return r.yaml(n, File{Path: place, Mode: private}, policy)
}

package render

import (
	"fmt"
	"strings"

	"stoa/inventory"
)

const (
	sysctlPath  = "/etc/sysctl.d/98-stoa-sysctl.conf"
	modulesPath = "/etc/modules-load.d/predefined.conf"
)

// sysctl is the kernel parameters of a node, patches applied.
func (r *renderer) sysctl(n *inventory.Node) error {
	var b strings.Builder
	for _, m := range members(r.inv.View(n).Get("sysctl")) {
		fmt.Fprintf(&b, "%s = %s\n", m.Name, m.Value.Scalar())
	}
	if b.Len() == 0 {
		return nil
	}
	return r.add(n, File{Path: sysctlPath, Mode: public, Content: []byte(b.String())})
}

// modules is the kernel modules that are loaded at boot.
func (r *renderer) modules(n *inventory.Node) error {
	names := r.inv.Modules(n)
	if len(names) == 0 {
		return nil
	}
	return r.add(n, File{Path: modulesPath, Mode: public, Content: []byte(strings.Join(names, "\n") + "\n")})
}

package render

import (
	"slices"
	"strings"

	"stoa/inventory"
)

// Up to v1beta3 arguments are a map and the API server has the timeout; since
// then arguments are a list and timeouts have their own place. The document
// always has the older form.
func (r *renderer) older() bool {
	return slices.Contains([]string{"v1beta1", "v1beta2", "v1beta3"}, r.kubeadmVersion()[strings.LastIndexByte(r.kubeadmVersion(), '/')+1:])
}

// clusterConfiguration is services.kubeadm in the form of its apiVersion.
func (r *renderer) clusterConfiguration() *inventory.Value {
	conf := r.services("kubeadm")
	if r.older() {
		return conf
	}
	c := copyOf(conf)
	for _, component := range []string{"apiServer", "scheduler", "controllerManager"} {
		if part := c.Get(component); part != nil && part.Kind == inventory.Map {
			c.Set(component, r.newer(part))
		}
	}
	if local := c.Get("etcd", "local"); local != nil && local.Kind == inventory.Map {
		etcd := copyOf(c.Get("etcd"))
		etcd.Set("local", r.newer(local))
		c.Set("etcd", etcd)
	}
	return c
}

func (r *renderer) newer(component *inventory.Value) *inventory.Value {
	c := copyOf(component)
	if args := c.Get("extraArgs"); args != nil {
		c.Set("extraArgs", r.arguments(args))
	}
	c.Delete("timeoutForControlPlane")
	return c
}

// arguments of a program in the form of the apiVersion.
func (r *renderer) arguments(args *inventory.Value) *inventory.Value {
	if r.older() || args.Kind != inventory.Map {
		return args
	}
	list := inventory.NewList()
	for _, m := range args.Members {
		list.Items = append(list.Items, object("name", m.Name, "value", m.Value))
	}
	return list
}

func (r *renderer) timeouts() *inventory.Value {
	wait := r.services("kubeadm", "apiServer", "timeoutForControlPlane")
	if r.older() || wait == nil {
		return nil
	}
	return object("controlPlaneComponentHealthCheck", wait)
}

// copyOf is a map that can be changed without changing the document.
func copyOf(v *inventory.Value) *inventory.Value {
	c := inventory.NewMap()
	for _, m := range v.Members {
		c.Set(m.Name, m.Value)
	}
	return c
}

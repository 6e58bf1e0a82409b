package render

import (
	"stoa/inventory"
)

// patchTargets is the component names of the document by kubeadm's.
var patchTargets = []struct{ component, target string }{
	{"apiServer", "kube-apiserver"},
	{"controllerManager", "kube-controller-manager"},
	{"scheduler", "kube-scheduler"},
	{"etcd", "etcd"},
}

// kubeadmPatches is what kubeadm changes on this node only: flags put behind the
// others of a component, so that they win, and members of the kubelet's
// configuration.
func (r *renderer) kubeadmPatches(n *inventory.Node) error {
	if !n.Kubernetes() {
		return nil
	}
	flags := r.inv.ComponentFlags(n)
	for _, t := range patchTargets {
		operations := inventory.NewList()
		for _, flag := range members(flags.Get(t.component)) {
			operations.Items = append(operations.Items, object(
				"op", "add",
				"path", "/spec/containers/0/command/-",
				"value", "--"+flag.Name+"="+flag.Value.Scalar(),
			))
		}
		if len(operations.Items) > 0 {
			if err := r.yaml(n, File{Path: patchesDir + "/" + t.target + "+json.yaml", Mode: private}, operations); err != nil {
				return err
			}
		}
	}
	if kubelet := flags.Get("kubelet"); kubelet != nil {
		return r.yaml(n, File{Path: patchesDir + "/kubeletconfiguration.yaml", Mode: private}, kubelet)
	}
	return nil
}

func (r *renderer) yaml(n *inventory.Node, f File, documents ...*inventory.Value) error {
	content, err := yamlDocuments(documents...)
	if err != nil {
		return err
	}
	f.Content = content
	return r.add(n, f)
}

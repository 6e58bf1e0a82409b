package render

import (
	"net/netip"
	"strings"

	"stoa/inventory"
)

const (
	initPath   = "/etc/kubernetes/init-config.yaml"
	joinPath   = "/etc/kubernetes/join-config.yaml"
	patchesDir = "/etc/kubernetes/patches"
	criSocket  = "unix:///run/containerd/containerd.sock"
)

// kubeadm is what kubeadm is started with: the first control plane makes the
// cluster, all others join it.
func (r *renderer) kubeadm(n *inventory.Node) error {
	if !n.Kubernetes() {
		return nil
	}
	common, err := r.shared("kubeadm", func() ([]byte, error) {
		return yamlDocuments(r.clusterConfiguration(), r.services("kubeadm_kubelet"), r.services("kubeadm_kube-proxy"))
	})
	if err != nil {
		return err
	}
	f, own := File{Path: joinPath, Mode: private, Secret: true, Masked: true}, r.joinConfiguration(n)
	if r.inv.Group(inventory.ControlPlane)[0] == n {
		f, own = File{Path: initPath, Mode: private}, r.initConfiguration(n)
	}
	text, err := yamlDocuments(own)
	if err != nil {
		return err
	}
	f.Content = append(append(append([]byte(nil), common...), "---\n"...), text...)
	return r.add(n, f)
}

func (r *renderer) initConfiguration(n *inventory.Node) *inventory.Value {
	return object(
		"apiVersion", r.kubeadmVersion(),
		"kind", "InitConfiguration",
		"localAPIEndpoint", object("advertiseAddress", n.Internal),
		"nodeRegistration", r.registration(n),
		"patches", object("directory", patchesDir),
		"timeouts", r.timeouts(),
	)
}

func (r *renderer) joinConfiguration(n *inventory.Node) *inventory.Value {
	var controlPlane *inventory.Value
	if n.Has(inventory.ControlPlane) {
		controlPlane = object(
			"localAPIEndpoint", object("advertiseAddress", n.Internal),
			"certificateKey", placeholderKey,
		)
	}
	return object(
		"apiVersion", r.kubeadmVersion(),
		"kind", "JoinConfiguration",
		"discovery", object("bootstrapToken", object(
			"apiServerEndpoint", r.services("kubeadm", "controlPlaneEndpoint"),
			"token", placeholderToken,
			"caCertHashes", []string{placeholderHash},
		)),
		"controlPlane", controlPlane,
		"nodeRegistration", r.registration(n),
		"patches", object("directory", patchesDir),
		"timeouts", r.timeouts(),
	)
}

// registration is how a node appears in the cluster. A control plane that is a
// worker too has no taints, so that it takes work.
func (r *renderer) registration(n *inventory.Node) *inventory.Value {
	v := object("name", n.Name, "criSocket", criSocket)
	if n.Has(inventory.ControlPlane) && n.Has(inventory.Worker) {
		v.Set("taints", inventory.NewList())
	}
	// The kubelet would prefer an address of IPv4 if the machine has one.
	if ip, err := netip.ParseAddr(n.Internal); err == nil && ip.Is6() {
		v.Set("kubeletExtraArgs", r.arguments(object("node-ip", n.Internal)))
	}
	if ignored := r.services("kubeadm_flags", "ignorePreflightErrors").Str(); ignored != "" {
		v.Set("ignorePreflightErrors", inventory.NewStrings(strings.Split(ignored, ",")...))
	}
	return v
}

func (r *renderer) kubeadmVersion() string { return r.services("kubeadm", "apiVersion").Str() }

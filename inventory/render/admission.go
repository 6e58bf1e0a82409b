package render

import "stoa/inventory"

// admission is the pod security that the API server starts with, where its flag
// says; without pod security there is neither.
func (r *renderer) admission(n *inventory.Node) error {
	pss, place := r.inv.Root.Get("rbac", "pss"), r.services("kubeadm", "apiServer", "extraArgs", "admission-control-config-file").Str()
	if !n.Has(inventory.ControlPlane) || pss.Get("pod-security").Str() != "enabled" || place == "" {
		return nil
	}
	return r.yaml(n, File{Path: place, Mode: private}, object(
		"apiVersion", "apiserver.config.k8s.io/v1",
		"kind", "AdmissionConfiguration",
		"plugins", inventory.NewList(object(
			"name", "PodSecurity",
			"configuration", object(
				"apiVersion", "pod-security.admission.config.k8s.io/v1",
				"kind", "PodSecurityConfiguration",
				"defaults", pss.Get("defaults"),
				"exemptions", pss.Get("exemptions"),
			),
		)),
	))
}

package render

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"stoa/inventory"
)

const registryTable = `plugins."io.containerd.grpc.v1.cri".registry`

// containerd is the container runtime's configuration.
func (r *renderer) containerd(n *inventory.Node) error {
	conf := r.services("cri", "containerdConfig")
	if !n.Kubernetes() || conf == nil {
		return nil
	}
	return r.toml(n, cmp.Or(r.location("containerd"), "/etc/containerd/config.toml"), "containerdConfig", conf)
}

// registries says for each registry which hosts serve it.
func (r *renderer) registries(n *inventory.Node) error {
	if !n.Kubernetes() {
		return nil
	}
	folder := r.services("cri", "containerdConfig", registryTable, "config_path").Str()
	folder, _, _ = strings.Cut(cmp.Or(folder, "/etc/containerd/certs.d"), ":") // the first is asked first
	for _, m := range members(r.services("cri", "containerdRegistriesConfig")) {
		if m.Name == "" || strings.ContainsRune(m.Name, '/') || strings.Trim(m.Name, ".") == "" {
			return fmt.Errorf("containerdRegistriesConfig: %q is not the name of a registry", m.Name)
		}
		if err := r.toml(n, path.Join(folder, m.Name, "hosts.toml"), "containerdRegistriesConfig of "+m.Name, m.Value); err != nil {
			return err
		}
	}
	return nil
}

func (r *renderer) toml(n *inventory.Node, place, what string, v *inventory.Value) error {
	shown, secret := r.masked(v)
	content, err := r.shared(place, func() ([]byte, error) { return tomlText(shown) })
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	f := File{Path: place, Mode: public, Content: content, Secret: secret, Masked: secret && !r.o.Secrets}
	if secret {
		f.Mode = private
	}
	return r.add(n, f)
}

package inventory

import (
	"slices"
	"strconv"
	"strings"
)

// release is a Kubernetes version that can be installed, and what goes with it.
type release struct {
	kubernetes, calico, pause, etcd, coredns, crictl, localPath string
}

// releases is every known version, oldest first.
var releases = []release{
	{"v1.33.0", "v3.30.3", "3.10", "3.5.21", "v1.12.0", "v1.33.0", "v0.0.31"},
	{"v1.33.6", "v3.31.2", "3.10", "3.5.24", "v1.12.0", "v1.33.0", "v0.0.32"},
	{"v1.34.1", "v3.30.3", "3.10.1", "3.6.4", "v1.12.1", "v1.34.0", "v0.0.32"},
	{defaultKubernetes, "v3.32.0", "3.10.1", "3.6.5", "v1.12.1", "v1.34.0", "v0.0.32"},
	{"v1.35.0", "v3.32.0", "3.10.1", "3.6.6", "v1.13.1", "v1.35.0", "v0.0.32"},
	{"v1.36.0", "v3.32.0", "3.10.2", "3.6.8", "v1.14.2", "v1.36.0", "v0.0.32"},
}

const defaultKubernetes = "v1.34.2"

// Versions that go with every release.
const (
	nginxVersion     = "v1.16.0"
	envoyVersion     = "2.2.0"
	dashboardVersion = "v2.7.0"
	cinderVersion    = "2.35.0"
	snapshotVersion  = "8.5.0"
)

// Versions is the Kubernetes versions that can be installed.
func Versions() []string {
	var list []string
	for _, r := range releases {
		list = append(list, r.kubernetes)
	}
	return list
}

// releaseOf is what goes with a version; the default release for an unknown one,
// which is a fault of its own.
func releaseOf(version string) release {
	i := slices.IndexFunc(releases, func(r release) bool { return r.kubernetes == version })
	if i < 0 {
		i = slices.IndexFunc(releases, func(r release) bool { return r.kubernetes == defaultKubernetes })
	}
	return releases[i]
}

// minor is the NN of v1.NN.P; 0 when it is none.
func minor(version string) int {
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	if len(parts) < 2 || parts[0] != "1" {
		return 0
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil {
		return 0
	}
	return n
}

// constants is what templates see as globals: the version table.
func constants() *Value {
	software := NewMap()
	for _, column := range []struct {
		name string
		of   func(release) string
	}{
		{"calico", func(r release) string { return r.calico }},
		{"calicoctl", func(r release) string { return r.calico }},
		{"pause", func(r release) string { return r.pause }},
		{"etcd", func(r release) string { return r.etcd }},
		{"coredns", func(r release) string { return r.coredns }},
		{"crictl", func(r release) string { return r.crictl }},
		{"nginx-ingress-controller", func(release) string { return nginxVersion }},
		{"envoy-gateway", func(release) string { return envoyVersion }},
		{"kubernetes-dashboard", func(release) string { return dashboardVersion }},
		{"local-path-provisioner", func(r release) string { return r.localPath }},
		{"openstack-cinder-csi", func(release) string { return cinderVersion }},
		{"csi-snapshot-controller", func(release) string { return snapshotVersion }},
	} {
		versions := NewMap()
		for _, r := range releases {
			entry := NewMap()
			entry.Set("version", NewString(column.of(r)))
			versions.Set(r.kubernetes, entry)
		}
		software.Set(column.name, versions)
	}
	compatibility, root := NewMap(), NewMap()
	compatibility.Set("software", software)
	root.Set("compatibility_map", compatibility)
	return root
}

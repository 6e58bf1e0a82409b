package inventory

import (
	"net/netip"
	"regexp"
	"strconv"
	"strings"
)

// checkVersion is the Kubernetes version and the networks.
func (r *resolver) checkVersion() {
	kubeadm := r.root.Get("services", "kubeadm")
	v, path := kubeadm.Get("kubernetesVersion"), pointer(kubernetes...)
	switch version := v.Str(); {
	case releaseOf(version).kubernetes != version:
		r.fault(KubernetesVersion, v, path, didYouMean(version, Versions()), "Kubernetes %q is not known, want %s", short(version), listed(Versions(), "or"))
	case minor(version) == minor(releases[0].kubernetes) && OriginOf(v).Kind != FromDefault:
		r.fault(KubernetesOutdated, v, path, "plan an upgrade", "Kubernetes %s is outdated", version)
	}
	for _, name := range []string{"podSubnet", "serviceSubnet"} {
		v, path := kubeadm.Get("networking", name), pointer("services", "kubeadm", "networking", name)
		if v == nil {
			continue
		}
		p, err := netip.ParsePrefix(v.Str())
		switch {
		case err != nil && !isAddress(v.Str()):
			r.fault(Subnet, v, path, "", "%s %q is no network, want an address and a prefix length such as 10.128.0.0/14", name, short(v.Str()))
		case err == nil && p != p.Masked():
			r.fault(Subnet, v, path, "write "+p.Masked().String(), "%s %s has host bits set", name, p)
		}
	}
	r.checkPSS()
}

// isAddress tells a single address: a network without a prefix length.
func isAddress(text string) bool {
	_, err := netip.ParseAddr(text)
	return err == nil
}

var pssVersion = regexp.MustCompile(`^v1\.([0-9]{1,2})$`)

func (r *resolver) checkPSS() {
	cluster := r.root.Get(kubernetes...).Str()
	for _, name := range []string{"enforce-version", "audit-version", "warn-version"} {
		v, path := r.root.Get("rbac", "pss", "defaults", name), pointer("rbac", "pss", "defaults", name)
		if v == nil || v.Str() == "latest" {
			continue
		}
		m := pssVersion.FindStringSubmatch(v.Str())
		if m == nil {
			r.fault(PSSVersion, v, path, "", "%s is %q, want latest or v1.NN", name, short(v.Str()))
			continue
		}
		n, _ := strconv.Atoi(m[1])
		if known := minor(cluster); known > 0 && n > known && r.taint.sound(pointer(kubernetes...)) {
			r.fault(PSSVersion, v, path, "write v1."+strconv.Itoa(known)+" or latest", "%s is %s, above Kubernetes %s", name, v.Str(), strings.TrimSpace(cluster))
		}
	}
}

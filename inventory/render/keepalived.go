package render

import (
	"net/netip"
	"strings"

	"stoa/inventory"
)

// checkPath is the script that tells keepalived whether this balancer can work.
const checkPath = "/usr/local/bin/check_haproxy.sh"

type keepalivedValues struct {
	Node, Script, Refresh string
	Instances             []keepalivedInstance
}

type keepalivedInstance struct {
	ID, Interface, RouterID string
	Priority                int64
	Password                string
	Address                 string
	Source                  string
	Peers                   []string
}

// keepalived moves VRRP addresses between balancers; its check script says when.
func (r *renderer) keepalived(n *inventory.Node) error {
	addresses := r.inv.VRRPOn(n)
	if len(addresses) == 0 {
		return nil
	}
	conf, place := r.services("loadbalancer", "keepalived"), r.location("keepalived")
	script := "#!/bin/sh\n# Keepalived gives its addresses away while this fails.\nexec systemctl is-active --quiet " + r.service("haproxy") + "\n"
	if err := r.add(n, File{Path: checkPath, Mode: executable, Content: []byte(script)}); err != nil {
		return err
	}
	if r.ownText(n, conf, place) {
		return nil
	}
	f := File{Path: place, Mode: private}
	if own := conf.Get("config").Str(); own != "" {
		return r.add(n, r.maskedText(f, own))
	}
	values := keepalivedValues{Node: n.Name, Script: checkPath, Refresh: conf.Get("global", "vrrp_garp_master_refresh").Scalar()}
	for _, v := range addresses {
		instance := r.instance(v, n)
		f.Secret = f.Secret || instance.Password != ""
		if instance.Interface == "auto" {
			r.note(n, place, "the interface of %s is found on the node: auto stands for it", v.IP)
		}
		values.Instances = append(values.Instances, instance)
	}
	var err error
	if f.Content, err = fill("keepalived.conf", values); err != nil {
		return err
	}
	f.Masked = f.Secret && !r.o.Secrets
	return r.add(n, f)
}

func (r *renderer) instance(v *inventory.VRRP, n *inventory.Node) keepalivedInstance {
	host := v.On(n)
	i := keepalivedInstance{ID: v.ID, Interface: host.Interface, RouterID: v.RouterID, Priority: host.Priority, Address: v.IP, Source: n.Internal}
	for _, other := range v.Hosts {
		if other.Node != n {
			i.Peers = append(i.Peers, other.Node.Internal)
		}
	}
	// With IPv6 keepalived speaks VRRP 3, which has no passwords; nor can an
	// address of IPv6 have a label.
	if ip, err := netip.ParseAddr(strings.Split(v.IP, "/")[0]); err != nil || ip.Is4() {
		i.Address += " label vip_" + v.ID
		i.Password = r.password(v)
	}
	return i
}

// service is the name of a program's service.
func (r *renderer) service(program string) string {
	all := r.services("packages", "associations")
	for _, name := range []string{all.Get(program, "service_name").Str(), all.Get(r.inv.OSFamily, program, "service_name").Str()} {
		if name != "" {
			return name
		}
	}
	return program
}

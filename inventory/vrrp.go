package inventory

import (
	"crypto/md5"
	"encoding/hex"
	"net/netip"
	"strconv"
	"strings"
)

// VRRP is an address that moves between balancers.
type VRRP struct {
	IP       string
	Floating string
	ID       string
	RouterID string
	NotBind  bool // in maintenance mode nobody binds it
	Hosts    []VRRPHost
	Value    *Value // its item of the effective vrrp_ips
}

// VRRPHost is a balancer that may carry the address.
type VRRPHost struct {
	Node      *Node
	Priority  int64
	Interface string
}

// On is the host entry of a node, nil when it does not carry the address.
func (v *VRRP) On(n *Node) *VRRPHost {
	for i := range v.Hosts {
		if v.Hosts[i].Node == n {
			return &v.Hosts[i]
		}
	}
	return nil
}

// vrrpAddresses brings VRRP addresses in their full form.
func (r *resolver) vrrpAddresses() {
	list := r.root.Get("vrrp_ips")
	if len(items(list)) > 0 && !r.has(Balancer) && r.taint.sound("/nodes/*/roles") && !r.anyTaintedNode() {
		r.fault(VRRPNoBalancer, list, "/vrrp_ips", "give a node the role balancer", "there are VRRP addresses but no balancer")
	}
	for i, item := range list.Items {
		path := (*way)(nil).member("vrrp_ips").item(i).pointer()
		if item.Kind == String {
			full := &Value{Kind: Map, At: item.At, Origin: item.Origin}
			ip := *item
			full.Set("ip", &ip)
			list.Items[i], item = full, full
		}
		if item.Kind != Map {
			continue
		}
		v := &VRRP{IP: item.Get("ip").Str(), Floating: item.Get("floating_ip").Str(), NotBind: isNotBind(item), Value: item}
		fill := func(name, rule, text string) string {
			if item.Get(name) == nil {
				item.Set(name, calculated(rule, NewString(text)))
			}
			return item.Get(name).Str()
		}
		network := fill("interface", "auto: found on the node", "auto")
		sum := md5.Sum([]byte(network + v.IP))
		v.ID = fill("id", "made of interface and address", hex.EncodeToString(sum[:])[:10])
		v.RouterID = fill("router_id", "the last part of the address", routerID(v.IP))
		r.vrrpHosts(v, item, network, path)
		r.vrrp = append(r.vrrp, v)
	}
}

func (r *resolver) vrrpHosts(v *VRRP, item *Value, network, path string) {
	hosts := item.Get("hosts")
	if hosts == nil {
		hosts = calculated("all balancers", NewList())
		for _, n := range group(r.nodes, Balancer) {
			hosts.Items = append(hosts.Items, calculated("all balancers", NewString(n.Name)))
		}
		item.Set("hosts", hosts)
	}
	for i, host := range hosts.Items {
		if host.Kind == String {
			full, name := &Value{Kind: Map, At: host.At, Origin: host.Origin}, *host
			full.Set("name", &name)
			hosts.Items[i], host = full, full
		}
		if host.Kind != Map {
			continue
		}
		if host.Get("interface") == nil {
			host.Set("interface", calculated("interface of the address", NewString(network)))
		}
		if p, ok := host.Get("priority").Int(); !ok || p == 0 {
			host.Set("priority", calculated("by position in hosts", NewInt(int64(254-i))))
		}
		n := r.byName[host.Get("name").Str()]
		if n == nil || !n.Has(Balancer) {
			r.warnHost(host, n, path+"/hosts"+(*way)(nil).item(i).pointer())
			continue
		}
		priority, _ := host.Get("priority").Int()
		v.Hosts = append(v.Hosts, VRRPHost{n, priority, host.Get("interface").Str()})
	}
}

func (r *resolver) warnHost(host *Value, n *Node, path string) {
	name := host.Get("name")
	if own := r.doc.Root.at(splitPointer(path)); own != nil && own.Kind == Map {
		path += "/name"
	}
	if !r.taint.sound("/nodes/*/name") || !r.taint.sound("/nodes/*/roles") || r.anyTaintedNode() {
		return
	}
	if n == nil {
		r.fault(VRRPHostRole, name, path, didYouMean(name.Str(), r.nodeNames()), "VRRP host %q is not a node", short(name.Str()))
		return
	}
	r.fault(VRRPHostRole, name, path, "", "VRRP host %s is no balancer, so it cannot carry the address", n.Name)
}

func (r *resolver) nodeNames() []string {
	var names []string
	for _, n := range r.nodes {
		names = append(names, n.Name)
	}
	return names
}

// routerID is the last octet of an IPv4 address; of an IPv6 address the last two
// hex digits of the last group, as a decimal.
func routerID(ip string) string {
	if a, err := netip.ParseAddr(ip); err == nil && a.Is4() {
		return ip[strings.LastIndexByte(ip, '.')+1:]
	}
	last := ip[strings.LastIndexByte(ip, ':')+1:]
	if !strings.Contains(ip, ":") {
		return last
	}
	n, err := strconv.ParseUint(last[max(0, len(last)-2):], 16, 8)
	if err != nil {
		return "0"
	}
	return strconv.FormatUint(n, 10)
}

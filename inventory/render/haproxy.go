package render

import (
	"strings"

	"stoa/inventory"
)

type haproxyValues struct {
	Global   string // connections of the process
	Defaults []setting
	Ways     []haproxyWay
}

type setting struct{ Name, Value string }

// haproxyWay is a frontend with its backend.
type haproxyWay struct {
	Front, Back    string
	Binds, Servers []string
	Balance        string
	Options        string // of each server
}

// haproxyWays is what is balanced and how. Ingress controllers are told the
// client's address by the PROXY protocol; the API server does not know it.
var haproxyWays = []haproxyWay{
	{Front: "http", Back: "http_backend", Balance: "source", Options: "check send-proxy"},
	{Front: "https", Back: "https_backend", Balance: "source", Options: "check send-proxy"},
	{Front: "kubernetes_api", Back: "kubernetes_control_plane_nodes", Balance: "roundrobin", Options: "check"},
}

// haproxyDefaults is the settings of the document by haproxy's names.
var haproxyDefaults = []setting{
	{"timeout connect", "timeout_connect"},
	{"timeout client", "timeout_client"},
	{"timeout server", "timeout_server"},
	{"timeout tunnel", "timeout_tunnel"},
	{"timeout client-fin", "timeout_client_fin"},
	{"maxconn", "maxconn"},
}

// haproxy is a balancer's configuration, and in maintenance mode a second one.
func (r *renderer) haproxy(n *inventory.Node) error {
	if !n.Has(inventory.Balancer) {
		return nil
	}
	conf, place := r.services("loadbalancer", "haproxy"), r.location("haproxy")
	view := r.inv.View(n)
	if r.inv.Maintenance() {
		content, err := r.haproxyConfig(view.Get("haproxy_maintenance"))
		if err != nil {
			return err
		}
		if err := r.add(n, File{Path: conf.Get("mntc_config_location").Str(), Mode: public, Content: content}); err != nil {
			return err
		}
	}
	if r.ownText(n, conf, place) {
		return nil
	}
	f := File{Path: place, Mode: public}
	if own := conf.Get("config").Str(); own != "" {
		return r.add(n, r.maskedText(f, own))
	}
	var err error
	if f.Content, err = r.haproxyConfig(view.Get("haproxy")); err != nil {
		return err
	}
	return r.add(n, f)
}

// ownText tells whether a file is made of the operator's own template, which is
// not ours to open.
func (r *renderer) ownText(n *inventory.Node, conf *inventory.Value, place string) bool {
	file := conf.Get("config_file").Str()
	if file == "" || conf.Get("config").Str() != "" {
		return false
	}
	r.note(n, place, "not rendered: it is made of the template %s", file)
	return true
}

func (r *renderer) haproxyConfig(view *inventory.Value) ([]byte, error) {
	conf := r.services("loadbalancer", "haproxy")
	values := haproxyValues{Global: conf.Get("global", "maxconn").Scalar()}
	for _, s := range haproxyDefaults {
		if v := conf.Get("defaults", s.Value).Scalar(); v != "" {
			values.Defaults = append(values.Defaults, setting{s.Name, v})
		}
	}
	for _, way := range haproxyWays {
		way.Servers = view.Get("servers", way.Back).Strings()
		if len(way.Servers) == 0 {
			continue
		}
		for _, bind := range view.Get("bind", way.Front).Strings() {
			if strings.HasPrefix(bind, ":::") {
				bind += " v6only" // any address of IPv4 has its own line
			}
			way.Binds = append(way.Binds, bind)
		}
		values.Ways = append(values.Ways, way)
	}
	return fill("haproxy.cfg", values)
}

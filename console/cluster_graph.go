package console

import (
	"errors"
	"strings"

	"stoa/inventory/graph"
)

// clusterGraph is the topology of a document; null when that has errors.
type clusterGraph struct {
	Check    clusterCheck `json:"check"`
	Topology *topology    `json:"topology"`
	Text     string       `json:"text"` // the topology for those who do not see it
	SVG      string       `json:"svg"`  // a drawing to take away
}

// topology is who stands where, in the names of the API.
type topology struct {
	Cluster   string     `json:"cluster"`
	Summary   string     `json:"summary"`
	Endpoints []endpoint `json:"endpoints"`
	Virtual   []virtual  `json:"virtual"`
	Layers    []layer    `json:"layers"`
	Gateways  []gateway  `json:"gateways"`
}

type endpoint struct {
	Who     string `json:"who"`
	Address string `json:"address"`
}

type virtual struct {
	IP       string    `json:"ip"`
	Floating string    `json:"floating"`
	Router   string    `json:"router"`
	NotBind  bool      `json:"notBind"`
	Hosts    []carrier `json:"hosts"`
}

type carrier struct {
	Name     string `json:"name"`
	Priority int64  `json:"priority"`
}

type layer struct {
	Role  string      `json:"role"`
	Ports []string    `json:"ports"`
	Nodes []graphNode `json:"nodes"`
}

type graphNode struct {
	Name     string   `json:"name"`
	Internal string   `json:"internal"`
	Address  string   `json:"address"`
	Gateway  string   `json:"gateway"`
	Roles    []string `json:"roles"`
}

type gateway struct {
	Name    string   `json:"name"`
	Address string   `json:"address"`
	Nodes   []string `json:"nodes"`
}

func graphCluster(c *clusterCall, body clusterRequest) error {
	inv, check := c.resolve(body.clusterDocument)
	if inv == nil {
		return c.answer(clusterGraph{Check: check})
	}
	t := graph.New(inv)
	var text, svg strings.Builder
	if err := errors.Join(t.WriteText(&text), t.WriteSVG(&svg)); err != nil {
		return err
	}
	return c.answer(clusterGraph{check, topologyOf(t), text.String(), svg.String()})
}

// topologyOf never has null in the place of a list.
func topologyOf(t *graph.Topology) *topology {
	shown := &topology{t.Cluster, t.Summary, []endpoint{}, []virtual{}, []layer{}, []gateway{}}
	for _, e := range t.Endpoints {
		shown.Endpoints = append(shown.Endpoints, endpoint(e))
	}
	for _, v := range t.Virtual {
		hosts := []carrier{}
		for _, h := range v.Hosts {
			hosts = append(hosts, carrier(h))
		}
		shown.Virtual = append(shown.Virtual, virtual{v.IP, v.Floating, v.Router, v.NotBind, hosts})
	}
	for _, l := range t.Layers {
		nodes := []graphNode{}
		for _, n := range l.Nodes {
			nodes = append(nodes, graphNode(n))
		}
		shown.Layers = append(shown.Layers, layer{l.Role, l.Ports, nodes})
	}
	for _, g := range t.Gateways {
		shown.Gateways = append(shown.Gateways, gateway{g.Name, g.Address, append([]string{}, g.Nodes...)})
	}
	return shown
}

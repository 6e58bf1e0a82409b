package graph

import (
	"fmt"
	"strings"
)

// palette is the colours of a drawing. Texts stand on paper, panel or box; a test
// holds their contrast against what WCAG asks for.
type palette struct {
	paper, panel, box, edge string
	text, quiet             string // of names and of everything else
	way, ssh                string
	kinds                   map[string]string // stripes
}

var light = palette{
	paper: "#ffffff", panel: "#f3f6fa", box: "#ffffff", edge: "#b4c0cf",
	text: "#17202b", quiet: "#455264", way: "#5b6878", ssh: "#a02c5c",
	kinds: map[string]string{
		"balancer": "#a85a00", "control-plane": "#1f5fbf", "worker": "#1c7a3f",
		"client": "#5b6878", "vrrp": "#7a3fa0", "gateway": "#a02c5c",
	},
}

var dark = palette{
	paper: "#11161d", panel: "#19212b", box: "#232e3b", edge: "#435164",
	text: "#eef2f7", quiet: "#b3bfcd", way: "#93a1b2", ssh: "#f08fb5",
	kinds: map[string]string{
		"balancer": "#f0a95b", "control-plane": "#7fb0ff", "worker": "#6fce92",
		"client": "#93a1b2", "vrrp": "#c79aec", "gateway": "#f08fb5",
	},
}

// kinds is every kind of stripe, in the order of writing.
var kinds = []string{"client", "vrrp", "balancer", "control-plane", "worker", "gateway"}

const font = `ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace`

// style is the style sheet: light, and dark for those who prefer it.
func style() string {
	var b strings.Builder
	fmt.Fprintf(&b, "text{font-family:%s}\n.head,.title,.name{font-weight:600}\n", font)
	b.WriteString(".way,.ssh{fill:none;stroke-width:1.5}\n.ssh{stroke-dasharray:5 3}\n.frame{fill:none;stroke-dasharray:3 3}\n")
	b.WriteString(light.rules())
	b.WriteString("@media (prefers-color-scheme:dark){\n" + dark.rules() + "}\n")
	return b.String()
}

func (p palette) rules() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".paper{fill:%s}\n.panel{fill:%s;stroke:%s}\n.box{fill:%s;stroke:%s}\n.frame{stroke:%s}\n", p.paper, p.panel, p.edge, p.box, p.edge, p.edge)
	fmt.Fprintf(&b, ".head,.title,.name{fill:%s}\n.line{fill:%s}\n", p.text, p.quiet)
	fmt.Fprintf(&b, ".way{stroke:%s}\n.tip-way{fill:%s}\n.ssh{stroke:%s}\n.tip-ssh{fill:%s}\n", p.way, p.way, p.ssh, p.ssh)
	for _, kind := range kinds {
		fmt.Fprintf(&b, ".%s{fill:%s}\n", kind, p.kinds[kind])
	}
	return b.String()
}

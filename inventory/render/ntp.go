package render

import (
	"fmt"
	"strings"

	"stoa/inventory"
)

const timesyncdPath = "/etc/systemd/timesyncd.conf"

// chronyPath differs by what packages a system.
func chronyPath(family string) string {
	if strings.HasPrefix(family, "rhel") {
		return "/etc/chrony.conf"
	}
	return "/etc/chrony/chrony.conf"
}

// chrony is only configured when the document names servers.
func (r *renderer) chrony(n *inventory.Node) error {
	conf := r.services("ntp", "chrony")
	servers := conf.Get("servers").Strings()
	if len(servers) == 0 {
		return nil
	}
	var b strings.Builder
	for _, server := range servers {
		b.WriteString("server " + server + "\n")
	}
	if step := conf.Get("makestep").Str(); step != "" {
		b.WriteString("makestep " + step + "\n")
	}
	if conf.Get("rtcsync").Bool() {
		b.WriteString("rtcsync\n")
	}
	return r.add(n, File{Path: chronyPath(r.inv.OSFamily), Mode: public, Content: []byte(b.String())})
}

// timesyncd is only configured when the document names servers.
func (r *renderer) timesyncd(n *inventory.Node) error {
	conf := r.services("ntp", "timesyncd")
	if conf.Get("Time", "NTP") == nil && conf.Get("Time", "FallbackNTP") == nil {
		return nil
	}
	var b strings.Builder
	for i, section := range members(conf) {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "[%s]\n", section.Name)
		for _, m := range members(section.Value) {
			fmt.Fprintf(&b, "%s=%s\n", m.Name, strings.Join(m.Value.Strings(), " "))
		}
	}
	return r.add(n, File{Path: timesyncdPath, Mode: public, Content: []byte(b.String())})
}

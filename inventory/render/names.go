package render

import (
	"bytes"
	"strings"
	"text/tabwriter"

	"stoa/inventory"
)

const (
	hostsPath  = "/etc/hosts"
	resolvPath = "/etc/resolv.conf"
)

// hosts is the same on every node: the document's own records, then those of the
// cluster and its nodes.
func (r *renderer) hosts(n *inventory.Node) error {
	content, err := r.shared(hostsPath, func() ([]byte, error) {
		return hostRecords(r.services("etc_hosts"), r.services("etc_hosts_generated"))
	})
	if err != nil {
		return err
	}
	return r.add(n, File{Path: hostsPath, Mode: public, Content: content})
}

// hostRecords is address and names per line, the names in one column.
func hostRecords(records ...*inventory.Value) ([]byte, error) {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, set := range records {
		for _, m := range members(set) {
			if names := m.Value.Strings(); len(names) > 0 {
				_, _ = w.Write([]byte(m.Name + "\t" + strings.Join(names, " ") + "\n"))
			}
		}
	}
	err := w.Flush()
	return b.Bytes(), err
}

// resolv is only written when the document has it.
func (r *renderer) resolv(n *inventory.Node) error {
	conf := r.services("resolv.conf")
	if conf == nil {
		return nil
	}
	var b strings.Builder
	if search := conf.Get("search").Str(); search != "" {
		b.WriteString("search " + search + "\n")
	}
	for _, server := range conf.Get("nameservers").Strings() {
		b.WriteString("nameserver " + server + "\n")
	}
	return r.add(n, File{Path: resolvPath, Mode: public, Content: []byte(b.String())})
}

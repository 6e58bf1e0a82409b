// Package render makes the files that the nodes of a cluster need.
//
// It is a function of the Inventory: the same document gives the same bytes in
// the same order, and nothing is read or asked on the way. Each kind of file is
// one method in a file of its own, named after what reads the result; the table
// kinds says which there are.
//
// Secrets that the document holds have a mask in their place unless they are
// asked for. What only a running cluster can know (the token to join with, the
// hash of its CA, the key of its certificates) always is a placeholder of the
// right shape, so that kubeadm accepts the file.
package render

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"stoa/inventory"
)

// File is one file of a node or of the cluster.
type File struct {
	Node    string // blank: of the cluster
	Path    string // absolute on a node; a bare name for the cluster
	Mode    fs.FileMode
	Content []byte
	Secret  bool // a secret is in it
	Masked  bool // or would be, were it not for a mask or a placeholder
}

// Name is where the file goes below an output directory.
func (f File) Name() string {
	if f.Node == "" {
		return clusterFolder + "/" + f.Path
	}
	return f.Node + f.Path
}

const clusterFolder = "cluster"

// Note is something about a file that its content cannot say.
type Note struct{ Node, Path, Text string }

// Options says what to render.
type Options struct {
	Node    *inventory.Node // nil: all, and what belongs to the cluster
	Cluster bool            // only what belongs to the cluster
	Secrets bool            // show secrets, and draw those that the document leaves out
}

// Modes of files.
const (
	public     fs.FileMode = 0o644
	private    fs.FileMode = 0o600
	executable fs.FileMode = 0o755
)

// kinds is what a node gets, in this order.
var kinds = []func(*renderer, *inventory.Node) error{
	(*renderer).sysctl,
	(*renderer).modules,
	(*renderer).hosts,
	(*renderer).resolv,
	(*renderer).chrony,
	(*renderer).timesyncd,
	(*renderer).auditRules,
	(*renderer).haproxy,
	(*renderer).keepalived,
	(*renderer).containerd,
	(*renderer).registries,
	(*renderer).kubeadm,
	(*renderer).kubeadmPatches,
	(*renderer).auditPolicy,
	(*renderer).admission,
}

// clusterKinds is what the cluster gets.
var clusterKinds = []func(*renderer) error{
	(*renderer).coredns,
	(*renderer).accounts,
}

// Render makes all files: node by node in the order of the document, then those
// of the cluster. The error names everything that cannot be rendered.
func Render(inv *inventory.Inventory, o Options) ([]File, []Note, error) {
	r := &renderer{inv: inv, o: o, names: make(map[string]bool)}
	var errs []error
	nodes := inv.Nodes
	switch {
	case o.Cluster:
		nodes = nil
	case o.Node != nil:
		nodes = []*inventory.Node{o.Node}
	}
	for _, n := range nodes {
		if strings.Trim(n.Name, ".") == "" {
			errs = append(errs, fmt.Errorf("node %q: no folder can have this name", n.Name))
			continue
		}
		for _, kind := range kinds {
			if err := kind(r, n); err != nil {
				errs = append(errs, fmt.Errorf("node %s: %w", n.Name, err))
			}
		}
	}
	if o.Cluster || o.Node == nil {
		for _, kind := range clusterKinds {
			errs = append(errs, kind(r))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	return r.files, r.notes, nil
}

type renderer struct {
	inv       *inventory.Inventory
	o         Options
	files     []File
	notes     []Note
	names     map[string]bool   // of files, below an output directory
	same      map[string][]byte // content that nodes share, by kind
	passwords map[*inventory.VRRP]string
}

// add keeps a file of a node, or of the cluster when n is nil.
func (r *renderer) add(n *inventory.Node, f File) error {
	if n != nil {
		if !path.IsAbs(f.Path) || strings.HasSuffix(f.Path, "/") || strings.ContainsRune(f.Path, 0) {
			return fmt.Errorf("%q is not the absolute path of a file", f.Path)
		}
		f.Node, f.Path = n.Name, path.Clean(f.Path)
	}
	if r.names[f.Name()] {
		return fmt.Errorf("%s would be written twice", f.Path)
	}
	r.names[f.Name()] = true
	r.files = append(r.files, f)
	return nil
}

func (r *renderer) note(n *inventory.Node, path, format string, args ...any) {
	r.notes = append(r.notes, Note{n.Name, path, fmt.Sprintf(format, args...)})
}

// shared makes content once for all nodes that have the same.
func (r *renderer) shared(kind string, content func() ([]byte, error)) ([]byte, error) {
	if b, ok := r.same[kind]; ok {
		return b, nil
	}
	b, err := content()
	if err != nil {
		return nil, err
	}
	if r.same == nil {
		r.same = make(map[string][]byte)
	}
	r.same[kind] = b
	return b, nil
}

func (r *renderer) services(names ...string) *inventory.Value {
	return r.inv.Root.Get("services").Get(names...)
}

// location is where a program of the OS expects its configuration.
func (r *renderer) location(program string) string {
	all := r.services("packages", "associations")
	if own := all.Get(program, "config_location").Str(); own != "" {
		return own
	}
	return all.Get(r.inv.OSFamily, program, "config_location").Str()
}

// list is the items of a value that may be absent.
func list(v *inventory.Value) []*inventory.Value {
	if v == nil {
		return nil
	}
	return v.Items
}

// members is the members of a value that may be absent.
func members(v *inventory.Value) []inventory.Member {
	if v == nil {
		return nil
	}
	return v.Members
}

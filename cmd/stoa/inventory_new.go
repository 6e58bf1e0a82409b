package main

import (
	"io"
	"os"

	"stoa/inventory/scaffold"
)

type inventoryNewCommand struct {
	Shape         string   `help:"single (one node), ha (balancers, three control planes, workers) or gateway (nodes behind one). Default: single." placeholder:"SHAPE"`
	Name          string   `help:"Full domain name of the cluster. Default: k8s.example.com." placeholder:"NAME"`
	Balancers     *int     `help:"How many balancers." placeholder:"N"`
	ControlPlanes *int     `help:"How many control planes: an odd number." placeholder:"N"`
	Workers       *int     `help:"How many workers; with 0 the control planes do their work." placeholder:"N"`
	Nodes         []string `name:"node" sep:"none" help:"A node instead of the counts, NAME=ADDRESS:ROLE,ROLE; may be given several times." placeholder:"NODE"`
	VRRP          string   `name:"vrrp" help:"Address that moves between the balancers." placeholder:"ADDRESS"`
	Gateway       string   `help:"Machine that SSH to the nodes goes through, [USER@]ADDRESS." placeholder:"GATEWAY"`
	User          string   `help:"SSH user. Default: root." placeholder:"USER"`
	Keyfile       string   `help:"SSH key. Default: id_ed25519 of who runs it." placeholder:"FILE"`
	Kubernetes    string   `help:"Kubernetes version." placeholder:"VERSION"`
	File          string   `short:"f" help:"Write to this file instead of standard output." placeholder:"FILE"`
	Force         bool     `help:"Replace the file if it exists."`
}

// Help is shown by --help.
func (inventoryNewCommand) Help() string {
	return `Writes a commented document to start from. On a terminal it asks for what the flags
leave open; elsewhere the defaults are taken.

  stoa inventory new
  stoa inventory new --shape ha --name k8s.example.com --workers 5 -f cluster.yaml
  stoa inventory new --node cp-1=10.0.0.1:control-plane --node wk-1=10.0.0.2:worker`
}

func (c *inventoryNewCommand) Run(p process) error {
	o := scaffold.Options{
		Shape: c.Shape, Name: c.Name, Balancers: c.Balancers, ControlPlanes: c.ControlPlanes, Workers: c.Workers,
		VRRP: c.VRRP, Gateway: c.Gateway, User: c.User, Keyfile: c.Keyfile, Kubernetes: c.Kubernetes,
	}
	for _, text := range c.Nodes {
		n, err := scaffold.ParseNode(text)
		if err != nil {
			return usageError{err}
		}
		o.Nodes = append(o.Nodes, n)
	}
	if _, err := os.Lstat(c.File); err == nil && !c.Force {
		return errExists(c.File) // before the questions
	}
	if isTerminal(p.stdin) {
		if err := scaffold.Ask(p.stdin, p.stderr, &o); err != nil {
			return err
		}
	}
	text, err := scaffold.Document(o)
	if err != nil {
		return usageError{err}
	}
	if c.File != "" {
		return createFile(c.File, text, c.Force)
	}
	_, err = p.stdout.Write(text)
	return err
}

// isTerminal tells whether somebody is there to answer. The null device looks like
// a terminal too.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

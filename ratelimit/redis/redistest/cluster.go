package redistest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// Slots is how many hash slots a cluster has.
const Slots = 16384

// Cluster is a set of masters that share the slots evenly.
type Cluster struct {
	Nodes []*Server
}

// StartCluster starts n nodes that end with the test.
func StartCluster(t testing.TB, n int, opts ...Option) *Cluster {
	t.Helper()
	c, err := LaunchCluster(t.TempDir(), n, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c
}

// LaunchCluster starts n nodes and waits until all of them hold the cluster for
// complete. The caller ends them with Kill.
func LaunchCluster(dir string, n int, opts ...Option) (*Cluster, error) {
	c := &Cluster{}
	if err := c.launch(dir, n, opts); err != nil {
		c.Kill()
		return nil, err
	}
	return c, nil
}

func (c *Cluster) launch(dir string, n int, opts []Option) error {
	for i := range n {
		node, err := launchIn(filepath.Join(dir, fmt.Sprint("node", i)), append(opts, asClusterNode)...)
		if err != nil {
			return err
		}
		c.Nodes = append(c.Nodes, node)
		from, to := i*Slots/n, (i+1)*Slots/n-1
		if _, err := node.Command("CLUSTER", "ADDSLOTSRANGE", fmt.Sprint(from), fmt.Sprint(to)); err != nil {
			return err
		}
		if _, err := node.Command("CLUSTER", "SET-CONFIG-EPOCH", fmt.Sprint(i+1)); err != nil {
			return err
		}
	}
	for _, node := range c.Nodes[1:] {
		if _, err := c.Nodes[0].Command("CLUSTER", "MEET", "127.0.0.1", fmt.Sprint(node.port), fmt.Sprint(node.busPort)); err != nil {
			return err
		}
	}
	return c.AwaitOK()
}

// AwaitOK waits until every node holds the cluster for complete.
func (c *Cluster) AwaitOK() error {
	for _, node := range c.Nodes {
		err := await("the cluster is complete", func() bool {
			info, err := node.Command("CLUSTER", "INFO")
			return err == nil && strings.Contains(info, "cluster_state:ok") &&
				strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d", len(c.Nodes)))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// MoveSlot takes a slot without keys from one node and gives it to another.
func (c *Cluster) MoveSlot(slot int, from, to *Server) error {
	source, err := from.Command("CLUSTER", "MYID")
	if err != nil {
		return err
	}
	target, err := to.Command("CLUSTER", "MYID")
	if err != nil {
		return err
	}
	if _, err := to.Command("CLUSTER", "SETSLOT", fmt.Sprint(slot), "IMPORTING", source); err != nil {
		return err
	}
	if _, err := from.Command("CLUSTER", "SETSLOT", fmt.Sprint(slot), "MIGRATING", target); err != nil {
		return err
	}
	// The new owner learns it first, so that nobody is sent back and forth.
	for _, node := range append([]*Server{to, from}, c.Nodes...) {
		if _, err := node.Command("CLUSTER", "SETSLOT", fmt.Sprint(slot), "NODE", target); err != nil {
			return err
		}
	}
	return nil
}

// URL is the list of all nodes.
func (c *Cluster) URL() string {
	var addrs []string
	for _, node := range c.Nodes {
		addrs = append(addrs, node.Addr())
	}
	return strings.Join(addrs, ",")
}

// Kill ends all nodes.
func (c *Cluster) Kill() {
	for _, node := range c.Nodes {
		node.Kill()
	}
}

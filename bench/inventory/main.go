// Command inventory measures what `stoa inventory validate` and `effective` cost
// for clusters of 3, 100 and 1000 nodes: CPU seconds and the most memory of the
// real process, and that cost grows with the number of nodes and no faster.
//
//	go run ./bench/inventory
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

func main() {
	rounds := flag.Int("rounds", 5, "runs of each command; the median counts")
	flag.Parse()
	if err := run(*rounds); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(rounds int) error {
	dir, err := os.MkdirTemp("", "stoa-bench-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	stoa := filepath.Join(dir, "stoa")
	if out, err := exec.Command("go", "build", "-o", stoa, "./cmd/stoa").CombinedOutput(); err != nil {
		return fmt.Errorf("build: %w\n%s", err, out)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintln(table, "| command\t| nodes\t| CPU ms\t| CPU µs per node\t| peak memory\t|")
	fmt.Fprintln(table, "|---\t|---\t|---\t|---\t|---\t|")
	for _, command := range []string{"validate", "effective"} {
		for _, nodes := range []int{3, 100, 1000} {
			file := filepath.Join(dir, fmt.Sprintf("cluster-%d.yaml", nodes))
			if err := os.WriteFile(file, []byte(document(nodes)), 0o644); err != nil {
				return err
			}
			c, err := measure(rounds, stoa, "inventory", command, file)
			if err != nil {
				return err
			}
			fmt.Fprintf(table, "| %s\t| %d\t| %.0f\t| %.0f\t| %d MB\t|\n", command, nodes,
				c.cpu.Seconds()*1e3, c.cpu.Seconds()*1e6/float64(nodes), c.memory>>20)
		}
	}
	return table.Flush()
}

// cost is what one run of a command took.
type cost struct {
	cpu    time.Duration
	memory int64 // bytes, the most at any time
}

func measure(rounds int, name string, args ...string) (cost, error) {
	var costs []cost
	for range rounds {
		cmd := exec.Command(name, args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Run(); err != nil {
			return cost{}, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, stderr.String())
		}
		usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		costs = append(costs, cost{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), usage.Maxrss << 10})
	}
	slices.SortFunc(costs, func(a, b cost) int { return int(a.cpu - b.cpu) })
	return costs[len(costs)/2], nil
}

// document is a cluster of some nodes: three control planes, the others workers,
// with labels, templates, a kernel parameter and a patch for every tenth node.
func document(nodes int) string {
	var b strings.Builder
	b.WriteString("cluster_name: k8s.example.com\nvalues: {zone: a}\nnode_defaults: {keyfile: /root/.ssh/id}\nnodes:\n")
	for i := range nodes {
		role := "worker"
		if i < 3 {
			role = "control-plane"
		}
		fmt.Fprintf(&b, "  - name: node-%d\n    internal_address: 10.%d.%d.%d\n    roles: [%s]\n    labels: {zone: \"{{ values.zone }}-%d\"}\n",
			i, i>>16&255, i>>8&255, i&255, role, i%7)
	}
	b.WriteString("services:\n  sysctl: {vm.max_map_count: 262144}\npatches:\n  - {groups: [worker], services: {sysctl: {net.core.somaxconn: 4096}}}\n")
	for i := 0; i < nodes; i += 10 {
		fmt.Fprintf(&b, "  - {nodes: [node-%d], services: {sysctl: {vm.swappiness: 10}}}\n", i)
	}
	return b.String()
}

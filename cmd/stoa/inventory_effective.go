package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"stoa/internal/env"
	"stoa/internal/spelling"
	"stoa/inventory"
)

type inventoryEffectiveCommand struct {
	File   string `arg:"" help:"Document to resolve."`
	Node   string `help:"What this node gets instead of the whole document." placeholder:"NAME"`
	Output string `short:"o" enum:"yaml,json" default:"yaml" help:"Print ${enum}."`
	inventoryFlags
}

// Help is shown by --help.
func (inventoryEffectiveCommand) Help() string {
	return `Prints the document as it will be used: all defaults and calculated values in,
templates rendered, short forms written out.

  stoa inventory effective cluster.yaml
  stoa inventory effective cluster.yaml --node lb-1 -o json`
}

func (c *inventoryEffectiveCommand) Run(ctx context.Context, p process) error {
	inv, err := c.resolveOne(ctx, p, c.File)
	if err != nil {
		return err
	}
	value := inv.Root
	if c.Node != "" {
		n, err := nodeNamed(inv, c.Node)
		if err != nil {
			return err
		}
		value = inv.View(n)
	}
	if c.Output == "json" {
		return inventory.WriteJSON(p.stdout, value)
	}
	return inventory.WriteYAML(p.stdout, value)
}

type inventoryExplainCommand struct {
	File   string `arg:"" help:"Document to look at."`
	Path   string `arg:"" help:"Value to explain: a JSON pointer, or dotted."`
	Node   string `help:"As this node sees it, with patches." placeholder:"NAME"`
	Output string `short:"o" enum:"text,json" default:"text" help:"Print ${enum}."`
	inventoryFlags
}

// Help is shown by --help.
func (inventoryExplainCommand) Help() string {
	return `Says where a value comes from: a default, a line of the document, a template,
node_defaults, a calculation or a patch. Of a map or a list, where each value in it does.

  stoa inventory explain cluster.yaml services.kubeadm.networking.podSubnet
  stoa inventory explain cluster.yaml services.sysctl.kernel.pid_max --node worker-1
  stoa inventory explain cluster.yaml /nodes/0/connect_to -o json`
}

func (c *inventoryExplainCommand) Run(ctx context.Context, p process) error {
	inv, err := c.resolveOne(ctx, p, c.File)
	if err != nil {
		return err
	}
	var n *inventory.Node
	if c.Node != "" {
		if n, err = nodeNamed(inv, c.Node); err != nil {
			return err
		}
	}
	list, err := inv.Explain(c.Path, n)
	if err != nil {
		return err
	}
	if c.Output == "json" {
		e := json.NewEncoder(p.stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	return inventory.WriteExplanations(p.stdout, list)
}

// options is what the commands assume of the world around a document.
func (f inventoryFlags) options(p process) inventory.Options {
	return inventory.Options{OSFamily: f.OSFamily, Environ: env.Map(p.environ)}
}

// resolveOne resolves a document whose faults are talk, not data.
func (f inventoryFlags) resolveOne(ctx context.Context, p process, file string) (*inventory.Inventory, error) {
	doc, faults := inventory.ReadFile(file)
	var inv *inventory.Inventory
	if doc != nil {
		inv, faults = inventory.Resolve(ctx, doc, f.options(p))
	}
	if err := faults.WriteText(p.stderr); err != nil {
		return nil, err
	}
	if inv == nil {
		fmt.Fprintln(p.stderr, faultSummary(faults, 1))
		return nil, errFaulty
	}
	return inv, nil
}

func nodeNamed(inv *inventory.Inventory, name string) (*inventory.Node, error) {
	if n := inv.Node(name); n != nil {
		return n, nil
	}
	text := fmt.Sprintf("there is no node %q", name)
	if near := spelling.Nearest(name, inv.Names()); near != "" {
		text += fmt.Sprintf(", did you mean %q?", near)
	}
	return nil, usageError{errors.New(text)}
}

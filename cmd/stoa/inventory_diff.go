package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"stoa/inventory"
	"stoa/inventory/diff"
	"stoa/inventory/render"
)

type inventoryDiffCommand struct {
	Old      string `arg:"" help:"Document as it was."`
	New      string `arg:"" help:"Document as it will be."`
	Node     string `help:"Only what changes on this node." placeholder:"NAME"`
	ExitCode bool   `name:"exit-code" help:"Exit with 1 when something changes."`
	Output   string `short:"o" enum:"text,json" default:"text" help:"Print ${enum}."`
	inventoryFlags
}

// Help is shown by --help.
func (inventoryDiffCommand) Help() string {
	return `Compares what two documents mean: nodes that come and go, values with where the new
ones come from, what each node gets, and the files on which it shows. Comments, order
and formatting make no difference. Secrets are compared but not shown.

  stoa inventory diff old.yaml new.yaml
  stoa inventory diff old.yaml new.yaml --node lb-1
  stoa inventory diff --exit-code -o json old.yaml new.yaml`
}

func (c *inventoryDiffCommand) Run(ctx context.Context, p process) error {
	old, oldErr := c.resolveOne(ctx, p, c.Old)
	new, newErr := c.resolveOne(ctx, p, c.New)
	if err := errors.Join(oldErr, newErr); err != nil {
		return err
	}
	if c.Node != "" && old.Node(c.Node) == nil {
		if _, err := nodeNamed(new, c.Node); err != nil {
			return err
		}
	}
	was, err := c.side(old)
	if err != nil {
		return fmt.Errorf("render %s: %w", c.Old, err)
	}
	is, err := c.side(new)
	if err != nil {
		return fmt.Errorf("render %s: %w", c.New, err)
	}
	d := diff.Compare(was, is)
	if c.Node != "" {
		d = d.Of(c.Node)
	}
	if err := c.write(p, d); err != nil {
		return err
	}
	if c.ExitCode && !d.Empty() {
		return errFaulty
	}
	return nil
}

// side is a document with its files.
func (c *inventoryDiffCommand) side(inv *inventory.Inventory) (diff.Side, error) {
	files, _, err := render.Render(inv, render.Options{})
	if err != nil {
		return diff.Side{}, err
	}
	side := diff.Side{Inventory: inv}
	for _, f := range files {
		side.Files = append(side.Files, diff.File{Node: f.Node, Path: f.Path, Content: f.Content})
	}
	return side, nil
}

func (c *inventoryDiffCommand) write(p process, d *diff.Difference) error {
	defer fmt.Fprintln(p.stderr, d.Summary())
	if c.Output == "text" {
		return d.WriteText(p.stdout)
	}
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(struct {
		Changed bool `json:"changed"`
		*diff.Difference
	}{!d.Empty(), d})
}

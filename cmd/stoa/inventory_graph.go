package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"stoa/inventory/graph"
)

type inventoryGraphCommand struct {
	Document string `arg:"" help:"Document to draw."`
	Output   string `short:"o" enum:"text,svg," default:"" help:"Print text or svg. Default: svg for a file that ends so, else text." placeholder:"FORMAT"`
	File     string `short:"f" help:"Write to this file instead of standard output; one that is there is replaced." placeholder:"FILE"`
	inventoryFlags
}

// Help is shown by --help.
func (inventoryGraphCommand) Help() string {
	return `Shows who stands where: clients, VRRP addresses, balancers, control planes and
workers, and the gateways that SSH goes through.

  stoa inventory graph cluster.yaml
  stoa inventory graph cluster.yaml -f cluster.svg
  stoa inventory graph cluster.yaml -o svg | display`
}

func (c *inventoryGraphCommand) Run(ctx context.Context, p process) error {
	svg := strings.EqualFold(filepath.Ext(c.File), ".svg")
	if svg && c.Output == "text" {
		return usageError{errors.New(c.File + " ends like a drawing, but -o text asks for text")}
	}
	if sameFile(c.File, c.Document) {
		return usageError{errors.New("the drawing would replace the document")}
	}
	inv, err := c.resolveOne(ctx, p, c.Document)
	if err != nil {
		return err
	}
	topology, b := graph.New(inv), new(bytes.Buffer)
	write := topology.WriteText
	if svg || c.Output == "svg" {
		write = topology.WriteSVG
	}
	if err := write(b); err != nil {
		return fmt.Errorf("draw %s: %w", c.Document, err)
	}
	if c.File != "" {
		return createFile(c.File, b.Bytes(), true)
	}
	_, err = p.stdout.Write(b.Bytes())
	return err
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

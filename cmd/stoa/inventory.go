package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"stoa/inventory"
)

// inventoryCommand works on cluster documents; it needs no server and touches no node.
type inventoryCommand struct {
	Validate  inventoryValidateCommand  `cmd:"" help:"Check documents: schema, templates and everything that can be known without a node."`
	Lint      inventoryLintCommand      `cmd:"" help:"Check documents, and warn of what is allowed but hardly meant."`
	Effective inventoryEffectiveCommand `cmd:"" help:"Print the document as it will be used, or what one node gets."`
	Explain   inventoryExplainCommand   `cmd:"" help:"Say where a value comes from."`
	Diff      inventoryDiffCommand      `cmd:"" help:"Say what changes from one document to another, per node and per file."`
	Graph     inventoryGraphCommand     `cmd:"" help:"Show the topology, as text or as a drawing."`
	Render    inventoryRenderCommand    `cmd:"" help:"Make every file that the nodes get."`
	New       inventoryNewCommand       `cmd:"" help:"Write a document to start from, by questions or flags."`
	Fmt       inventoryFmtCommand       `cmd:"" help:"Print documents in canonical order and style, comments kept."`
	Schema    inventorySchemaCommand    `cmd:"" help:"Print the JSON Schema of the document."`
	Codes     inventoryCodesCommand     `cmd:"" help:"List every fault code with its meaning."`
}

// inventoryFlags is what every command that reads a document takes.
type inventoryFlags struct {
	OSFamily string `name:"os-family" enum:"debian,ubuntu26.04,rhel8,rhel9,rhel10" default:"debian" help:"OS family of the nodes: ${enum}."`
}

type inventoryValidateCommand struct {
	Files  []string `arg:"" name:"file" help:"Documents to check."`
	Output string   `short:"o" enum:"text,json,sarif" default:"text" help:"Print ${enum}."`
	inventoryFlags
}

// Help is shown by --help.
func (inventoryValidateCommand) Help() string {
	return `Every fault of every stage is reported in one run, with its place and how to mend it.

  stoa inventory validate cluster.yaml
  stoa inventory validate -o sarif clusters/*.yaml`
}

func (c *inventoryValidateCommand) Run(ctx context.Context, p process) error {
	var faults inventory.Faults
	for _, file := range c.Files {
		doc, found := inventory.ReadFile(file)
		if doc != nil {
			_, found = inventory.Resolve(ctx, doc, c.options(p))
		}
		faults = append(faults, found...)
	}
	return reportInventory(p, faults, c.Output, len(c.Files))
}

// reportInventory prints faults as data and a summary as talk.
func reportInventory(p process, faults inventory.Faults, output string, files int) error {
	write := faults.WriteText
	switch output {
	case "json":
		write = faults.WriteJSON
	case "sarif":
		write = faults.WriteSARIF
	}
	if err := write(p.stdout); err != nil {
		return err
	}
	fmt.Fprintln(p.stderr, faultSummary(faults, files))
	if faults.Invalid() {
		return errFaulty
	}
	return nil
}

func faultSummary(faults inventory.Faults, files int) string {
	parts := []string{plural(files, "document")}
	for _, s := range []inventory.Severity{inventory.Error, inventory.Warning, inventory.Info} {
		if n := faults.Count(s); n > 0 || s == inventory.Error {
			parts = append(parts, plural(n, string(s)))
		}
	}
	return strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

type inventoryLintCommand struct {
	inventoryValidateCommand
	Strict bool `help:"Count warnings as errors."`
}

// Help is shown by --help.
func (inventoryLintCommand) Help() string {
	return `Everything that validate says, and the rules that nobody checks: an even number of
control planes, passwords in clear text, gateways that no node uses and the like.

  stoa inventory lint cluster.yaml
  stoa inventory lint --strict -o json cluster.yaml`
}

func (c *inventoryLintCommand) Run(ctx context.Context, p process) error {
	var faults inventory.Faults
	for _, file := range c.Files {
		doc, found := inventory.ReadFile(file)
		if doc != nil {
			found = inventory.Lint(ctx, doc, c.options(p))
		}
		faults = append(faults, found...)
	}
	if err := reportInventory(p, faults, c.Output, len(c.Files)); err != nil {
		return err
	}
	if c.Strict && faults.Count(inventory.Warning) > 0 {
		return errFaulty
	}
	return nil
}

type inventorySchemaCommand struct{}

// Help is shown by --help.
func (inventorySchemaCommand) Help() string {
	return "Draft-07, for editors that complete and explain.\n\n  stoa inventory schema > inventory.schema.json"
}

func (inventorySchemaCommand) Run(p process) error {
	_, err := p.stdout.Write(inventory.Schema())
	return err
}

type inventoryCodesCommand struct{ outputFlag }

// Help is shown by --help.
func (inventoryCodesCommand) Help() string {
	return `Codes stay what they are, so scripts may go by them.

  stoa inventory codes -o json`
}

func (c *inventoryCodesCommand) Run(p process) error {
	if c.Output == "json" {
		return json.NewEncoder(p.stdout).Encode(inventory.Codes())
	}
	for _, code := range inventory.Codes() {
		if _, err := fmt.Fprintf(p.stdout, "%s (%s)\n    %s. %s\n", code.Code, code.Severity, code.Title, code.Explanation); err != nil {
			return err
		}
	}
	return nil
}

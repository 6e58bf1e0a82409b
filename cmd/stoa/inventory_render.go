package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"stoa/inventory/render"
)

type inventoryRenderCommand struct {
	File        string `arg:"" help:"Document to render."`
	Node        string `help:"Only the files of this node." placeholder:"NAME"`
	Dir         string `short:"d" help:"Write the files below this folder, which must be new, empty or rendered before. Default: only list them." placeholder:"DIR"`
	Force       bool   `help:"Write into the folder whatever is in it."`
	ShowSecrets bool   `help:"Write secrets instead of masks, and draw VRRP passwords that the document leaves out."`
	outputFlag
	inventoryFlags
}

// Help is shown by --help.
func (inventoryRenderCommand) Help() string {
	return `Makes every file that the nodes get. Below the folder they are at NODE/absolute/path,
what belongs to the cluster at cluster/NAME. Secrets are masked; what only a running
cluster knows, like the token to join with, always is a placeholder.

  stoa inventory render cluster.yaml
  stoa inventory render cluster.yaml -d rendered
  stoa inventory render cluster.yaml --node lb-1 -d rendered --show-secrets`
}

func (c *inventoryRenderCommand) Run(ctx context.Context, p process) error {
	inv, err := c.resolveOne(ctx, p, c.File)
	if err != nil {
		return err
	}
	o := render.Options{Secrets: c.ShowSecrets}
	if c.Node != "" {
		if o.Node, err = nodeNamed(inv, c.Node); err != nil {
			return err
		}
	}
	files, notes, err := render.Render(inv, o)
	if err != nil {
		return err
	}
	if c.Dir != "" {
		err := render.Write(c.Dir, files, c.Node, c.Force)
		if errors.Is(err, render.ErrForeign) {
			return fmt.Errorf("%w: --force writes among them", err)
		}
		if err != nil {
			return err
		}
	}
	if c.Output == "json" {
		return listRenderedJSON(p.stdout, files, notes)
	}
	for _, n := range notes {
		fmt.Fprintf(p.stderr, "%s: %s: %s\n", n.Node, n.Path, n.Text)
	}
	if c.Dir != "" {
		fmt.Fprintf(p.stderr, "%s in %s\n", plural(len(files), "file"), c.Dir)
		return nil
	}
	return listRendered(p.stdout, files)
}

// listRendered is a line per file: mode, size, hash, name and what about secrets.
func listRendered(w io.Writer, files []render.File) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range files {
		line := fmt.Sprintf("%04o\t%d\t%.16s\t%s", f.Mode, len(f.Content), hashOf(f), f.Name())
		switch {
		case f.Masked:
			line += " (masked)"
		case f.Secret:
			line += " (secret)"
		}
		if _, err := fmt.Fprintln(t, line); err != nil {
			return err
		}
	}
	return t.Flush()
}

func hashOf(f render.File) string {
	sum := sha256.Sum256(f.Content)
	return hex.EncodeToString(sum[:])
}

type renderedFile struct {
	Node   string `json:"node,omitempty"`
	Path   string `json:"path"`
	Name   string `json:"name"` // below the folder
	Mode   string `json:"mode"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
	Secret bool   `json:"secret"`
	Masked bool   `json:"masked"`
}

type renderedNote struct {
	Node string `json:"node"`
	Path string `json:"path"`
	Text string `json:"text"`
}

func listRenderedJSON(w io.Writer, files []render.File, notes []render.Note) error {
	list := struct {
		Files []renderedFile `json:"files"`
		Notes []renderedNote `json:"notes"`
	}{[]renderedFile{}, []renderedNote{}}
	for _, f := range files {
		list.Files = append(list.Files, renderedFile{
			Node: f.Node, Path: f.Path, Name: f.Name(), Mode: fmt.Sprintf("%04o", f.Mode),
			Size: len(f.Content), SHA256: hashOf(f), Secret: f.Secret, Masked: f.Masked,
		})
	}
	for _, n := range notes {
		list.Notes = append(list.Notes, renderedNote(n))
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(list)
}

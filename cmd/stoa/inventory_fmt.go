package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"stoa/inventory"
	"stoa/inventory/format"
)

type inventoryFmtCommand struct {
	Files []string `arg:"" name:"file" help:"Documents to format; - is standard input."`
	Write bool     `short:"w" xor:"mode" help:"Write into the files instead of to standard output."`
	Check bool     `xor:"mode" help:"Only name the files that are not in canonical form; exit with 1 if there is one."`
}

// Help is shown by --help.
func (inventoryFmtCommand) Help() string {
	return `Prints a document in canonical order and style. Comments travel with their member,
values stay as they are written. What would change meaning or lose a comment is
refused, and the file stays as it is.

  stoa inventory fmt cluster.yaml
  stoa inventory fmt -w clusters/*.yaml
  stoa inventory fmt --check clusters/*.yaml`
}

func (c *inventoryFmtCommand) Run(p process) error {
	if len(c.Files) > 1 && !c.Write && !c.Check {
		return usageError{errors.New("several files need -w or --check")}
	}
	sound := true
	for _, file := range c.Files {
		if file == "-" && c.Write {
			return usageError{errors.New("-w cannot write into standard input")}
		}
	}
	for _, file := range c.Files {
		switch err := c.one(p, file); {
		case errors.Is(err, errFaulty):
			sound = false
		case err != nil:
			fmt.Fprintf(p.stderr, "stoa: %v\n", err)
			sound = false
		}
	}
	if !sound {
		return errFaulty
	}
	return nil
}

func (c *inventoryFmtCommand) one(p process, file string) error {
	text, err := readDocument(p, file)
	if err != nil {
		_, faults := inventory.ReadFile(file) // says it the way of all commands
		if len(faults) > 0 {
			return writeFaults(p, faults)
		}
		return err
	}
	tidy, faults, err := format.Source(file, text)
	switch {
	case len(faults) > 0:
		return writeFaults(p, faults)
	case err != nil:
		return err
	case c.Check && !bytes.Equal(text, tidy):
		fmt.Fprintln(p.stdout, file)
		return errFaulty
	case c.Write && !bytes.Equal(text, tidy):
		return replaceFile(file, tidy)
	case c.Check || c.Write:
		return nil
	}
	_, err = p.stdout.Write(tidy)
	return err
}

func writeFaults(p process, faults inventory.Faults) error {
	if err := faults.WriteText(p.stderr); err != nil {
		return err
	}
	return errFaulty
}

// readDocument reads a file or standard input, a little more than a document may
// be long.
func readDocument(p process, file string) ([]byte, error) {
	const bound = 33 << 20
	if file == "-" {
		if p.stdin == nil {
			return nil, nil
		}
		return io.ReadAll(io.LimitReader(p.stdin, bound))
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, bound))
}

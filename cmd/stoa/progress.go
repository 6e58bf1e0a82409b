package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// progress shows how far parts of the work are: bars on a terminal, elsewhere a line
// for each part that is done.
type progress struct {
	w        io.Writer
	terminal bool
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	return &progress{w, ok && term.IsTerminal(int(f.Fd()))}
}

const barWidth = 30

func (p *progress) tell(part string, done, total int) {
	if !p.terminal {
		if done == total {
			fmt.Fprintf(p.w, "%s: %d of %d\n", part, done, total)
		}
		return
	}
	full := barWidth
	if total > 0 {
		full = barWidth * done / total
	}
	fmt.Fprintf(p.w, "\r  %-10s %s%s %d/%d ", part, strings.Repeat("█", full), strings.Repeat("░", barWidth-full), done, total)
	if done == total {
		fmt.Fprintln(p.w)
	}
}

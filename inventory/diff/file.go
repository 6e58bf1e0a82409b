package diff

import (
	"bytes"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// FileChange is one rendered file that is not what it was.
type FileChange struct {
	Path string `json:"path"`
	Kind Kind   `json:"change"`
	Diff string `json:"diff,omitempty"` // unified, without the lines that name the files
}

func filesByNode(files []File) map[string][]File {
	nodes := make(map[string][]File)
	for _, f := range files {
		nodes[f.Node] = append(nodes[f.Node], f)
	}
	return nodes
}

// fileComparer compares the files of many nodes. Of what nodes share there is one copy,
// which is compared once.
type fileComparer map[[2]*byte]FileChange

// files compares the files of one node, in the order of the new ones, then those that are
// gone.
func (c fileComparer) files(old, new []File) []FileChange {
	changes := []FileChange{}
	was, is := make(map[string][]byte, len(old)), make(map[string]bool, len(new))
	for _, f := range old {
		was[f.Path] = f.Content
	}
	for _, f := range new {
		is[f.Path] = true
		before, known := was[f.Path]
		switch {
		case !known:
			changes = append(changes, FileChange{f.Path, Added, unified(nil, f.Content)})
		case !bytes.Equal(before, f.Content):
			change := c.contents(before, f.Content)
			change.Path = f.Path
			changes = append(changes, change)
		}
	}
	for _, f := range old {
		if !is[f.Path] {
			changes = append(changes, FileChange{f.Path, Removed, unified(f.Content, nil)})
		}
	}
	return changes
}

// contents compares what is not the same.
func (c fileComparer) contents(old, new []byte) FileChange {
	var copies [2]*byte
	if len(old) > 0 && len(new) > 0 {
		copies = [2]*byte{&old[0], &new[0]}
		if change, known := c[copies]; known {
			return change
		}
	}
	change := FileChange{Kind: Changed, Diff: unified(old, new)}
	if slices.Equal(sortedLines(old), sortedLines(new)) {
		change.Kind = Reordered
	}
	if copies[0] != nil {
		c[copies] = change
	}
	return change
}

// sortedLines is the lines of a file without what their order adds: the comma
// between items.
func sortedLines(text []byte) []string {
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(strings.TrimSpace(line), ",")
	}
	slices.Sort(lines)
	return lines
}

// unified is the hunks of a unified diff.
func unified(old, new []byte) string {
	text := string(diff.Diff("old", old, "new", new))
	if i := strings.Index(text, "@@"); i >= 0 {
		return text[i:]
	}
	return ""
}

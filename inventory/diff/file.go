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

// compareFiles compares the files of one node, in the order of the new ones, then
// those that are gone.
func compareFiles(old, new []File) []FileChange {
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
		case bytes.Equal(before, f.Content):
		case slices.Equal(sortedLines(before), sortedLines(f.Content)):
			changes = append(changes, FileChange{f.Path, Reordered, unified(before, f.Content)})
		default:
			changes = append(changes, FileChange{f.Path, Changed, unified(before, f.Content)})
		}
	}
	for _, f := range old {
		if !is[f.Path] {
			changes = append(changes, FileChange{f.Path, Removed, unified(f.Content, nil)})
		}
	}
	return changes
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

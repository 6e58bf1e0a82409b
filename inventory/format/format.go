// Package format writes a cluster document in one canonical style.
//
// The text itself is rearranged, not a value printed anew: every scalar is copied
// as its author wrote it, so nothing changes its type, and every comment is found
// because all that stands between two tokens is looked at. The parser's node tree
// only says what the tokens are; its own comments are not used, since it drops
// some (in empty brackets) and moves others (behind an anchor, between a key and
// its value), and it does not know blank lines.
//
// A comment travels with its member: those above it, the one behind it, and those
// below it up to a blank line. Members come in the order of the schema where it
// knows them. Maps that are keyed by names of the author's choice keep their
// order, for there it can matter: plugins are installed in it.
//
// Before a text is given back it is read again: the same value and the same
// comments, or an error.
package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"stoa/inventory"
)

// Source is the canonical form of a document. name is how faults call it. The
// faults say why a document cannot be read; the error, why it cannot be written.
func Source(name string, text []byte) ([]byte, inventory.Faults, error) {
	doc, faults := inventory.Load(name, text)
	if len(faults) > 0 {
		return nil, faults, nil
	}
	out, err := rewrite(doc, false)
	if errors.Is(err, errMeaning) {
		out, err = rewrite(doc, true)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: left as it is: %w", name, err)
	}
	return out, nil, nil
}

// rewrite formats and verifies. An anchored map can be used again in a place that
// minds the order of its members; careful leaves those as they are.
func rewrite(doc *inventory.Document, careful bool) (out []byte, err error) {
	if isJSON(doc.Text()) {
		root := readJSON(string(doc.Text()))
		order(root, nil, careful)
		out = []byte(printJSON(root))
		return out, verify(doc, out, nil)
	}
	d, err := readYAML(plainBreaks(string(doc.Text())))
	if err != nil {
		return nil, err
	}
	order(d.root, d.marks, careful)
	out = []byte(printYAML(d))
	return out, verify(doc, out, d.comments)
}

// isJSON tells JSON from YAML the way the loader does.
func isJSON(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}

// plainBreaks writes every line break that YAML takes for a line feed as one.
func plainBreaks(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n").Replace(text)
}

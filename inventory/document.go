package inventory

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"
)

// Bounds of a document. Beyond them it is refused, quickly.
const (
	maxSize   = 32 << 20
	maxDepth  = 1000
	maxValues = 1_000_000 // with aliases written out
)

// Document is one file, read: its values with their places.
type Document struct {
	Name string // as the caller calls the file
	Root *Value // a Map

	text   []byte // without byte order mark
	breaks []int  // where lines start
	once   sync.Once
}

// ReadFile loads a file. A file that cannot be read is a fault without a place.
func ReadFile(name string) (*Document, Faults) {
	text, err := readBounded(name)
	if err != nil {
		c := collector{doc: &Document{Name: name}}
		c.add(ParseUnreadable, Place{}, "", "", "cannot read the file: %s", shortError(err))
		return nil, c.faults
	}
	return Load(name, text)
}

func readBounded(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxSize+1))
}

// shortError leaves out the file's name, which the fault has already.
func shortError(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, ": "); i >= 0 {
		return text[i+2:]
	}
	return text
}

// Load reads one YAML or JSON document. name is how faults call it; its ending
// and its folder matter too. There is a Document only without faults.
func Load(name string, text []byte) (*Document, Faults) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	d := &Document{Name: name, text: text}
	c := &collector{doc: d}
	if !checkText(c, text) {
		return nil, c.faults
	}
	d.Root = readAny(c, name, text)
	if len(c.faults) > 0 {
		return nil, c.faults.sort()
	}
	return d, nil
}

// readAny tries JSON first when the text begins like it.
func readAny(c *collector, name string, text []byte) *Value {
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		root, syntax := readJSON(c, text)
		if !syntax || strings.EqualFold(filepath.Ext(name), ".json") {
			return root
		}
		c.faults = nil // not JSON after all: YAML may begin with a brace too
	}
	return readYAML(c, text)
}

// checkText refuses what is no text at all, with its place.
func checkText(c *collector, text []byte) bool {
	if len(text) > maxSize {
		c.add(ParseTooLarge, Place{1, 1}, "", "", "the file is larger than %d MiB", maxSize>>20)
		return false
	}
	at := Place{1, 1}
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(text[i:])
		}
		switch {
		case r == utf8.RuneError && size == 1:
			c.add(ParseEncoding, at, "", "save the file as UTF-8", "byte 0x%02x is not UTF-8", text[i])
			return false
		case !printable(r):
			c.add(ParseControl, at, "", `in a double-quoted text, write it as \x and two digits`, "control character U+%04X is not allowed", r)
			return false
		case r == '\n':
			at = Place{at.Line + 1, 0}
		}
		at.Column++
		i += size
	}
	return true
}

func printable(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r', r == 0x85:
		return true
	case r < ' ', r >= 0x7f && r < 0xa0, r == 0xfffe, r == 0xffff:
		return false
	}
	return true
}

// Text is the text of the document, without byte order mark.
func (d *Document) Text() []byte { return d.text }

func (d *Document) lineStarts() []int {
	d.once.Do(func() {
		d.breaks = []int{0}
		for i, b := range d.text {
			if b == '\n' {
				d.breaks = append(d.breaks, i+1)
			}
		}
	})
	return d.breaks
}

// line is the text of a line, from 1; of a very long one, its beginning.
func (d *Document) line(n int) string { return d.rest(d.lineStarts()[n-1]) }

// rest is what follows in a line, as much as can be shown.
func (d *Document) rest(offset int) string {
	text := d.text[min(offset, len(d.text)):]
	text = text[:min(len(text), 8*frameWidth)]
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		text = text[:i]
	}
	return strings.ToValidUTF8(strings.TrimSuffix(string(text), "\r"), "")
}

package graph

import (
	"strings"
	"unicode/utf8"
)

// Sizes of the drawing, in pixels.
const (
	margin     = 24
	pad        = 14 // between the edge of a box and what is in it
	gap        = 12 // between boxes
	layerGap   = 40 // between layers, for arrows
	titleWidth = 148
	bypass     = 28 // left of the layers, for the way around the control planes
	leastWidth = 520
	mostWidth  = 1240
	tightGap   = 6 // between small boxes

	stripe    = 5 // for each role of a node
	headSize  = 20
	titleSize = 14
	nameSize  = 13
	lineSize  = 11
	smallSize = 10

	// Cells; longer texts lose their middle. An address always fits.
	labelLimit   = 34
	addressLimit = 47
	smallLimit   = 18
	smallAddress = 39
)

// manyNodes is how many nodes of a layer still get large boxes.
const manyNodes = 12

// rect is a place in the drawing.
type rect struct{ x, y, w, h int }

func (r rect) right() int  { return r.x + r.w }
func (r rect) bottom() int { return r.y + r.h }
func (r rect) middle() int { return r.x + r.w/2 }

// cells is how many columns of a terminal a text takes.
func cells(text string) int {
	n := 0
	for _, r := range text {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	if r >= 0x1100 && r != '…' && r != '·' && r != '→' { // may be wide: East Asian writing, pictures
		return 2
	}
	return 1
}

// textWidth is how wide a text is at most. Letters of a fixed-width font are
// about 0.6 of their size wide.
func textWidth(text string, size int) int { return (cells(text)*size*62 + 99) / 100 }

// clip takes the middle out of a long text: what tells names apart stands at
// their ends.
func clip(text string, limit int) string {
	if cells(text) <= limit {
		return text
	}
	tail := (limit - 1) * 2 / 3
	head := limit - 1 - tail
	runes := []rune(text)
	i, n := 0, 0
	for ; n+runeCells(runes[i]) <= head; i++ {
		n += runeCells(runes[i])
	}
	j := len(runes)
	for n = 0; n+runeCells(runes[j-1]) <= tail; j-- {
		n += runeCells(runes[j-1])
	}
	return string(runes[:i]) + "…" + string(runes[j:])
}

// domain is the part from a dot on that all names share: small boxes leave it out.
func domain(names []string) string {
	if len(names) < 2 {
		return ""
	}
	common := names[0]
	for _, name := range names[1:] {
		for !strings.HasSuffix(name, common) {
			_, size := utf8.DecodeRuneInString(common)
			common = common[size:]
		}
	}
	i := strings.IndexByte(common, '.')
	if i < 0 {
		return ""
	}
	return common[i:]
}

package format

// document is a YAML text taken apart.
type document struct {
	directives []string
	header     []comment // stays on top, whatever comes first
	root       *node
	marks      []mark
	comments   []string // every one, in order of reading
}

// node is a scalar, a list or a map, with what belongs to its looks.
type node struct {
	kind    kind
	props   string   // anchor and tag
	lines   []string // of a scalar, verbatim; without the indent of its later lines
	block   *blockText
	flow    bool // written with brackets
	entries []*entry
	tail    []comment // after the last entry
	inline  *inlined  // once known
}

// inlined is a node on one line, if it has such a form.
type inlined struct {
	text string
	ok   bool
}

type kind uint8

const (
	scalarNode kind = iota
	listNode
	mapNode
)

// entry is a member of a map or an item of a list.
type entry struct {
	head  []comment // above it
	blank bool      // a blank line stands directly above it
	name  string    // decoded key
	merge bool      // the key is <<
	key   *node     // nil: an item
	value *node
	line  string    // comment behind it
	foot  []comment // below it, before a blank line
	from  int       // its marks
	to    int
}

// comment is a comment on a line of its own.
type comment struct {
	text  string
	col   int
	blank bool // a blank line stands above it
}

// blockText is a scalar with | or >.
type blockText struct {
	style byte
	chomp string
	lines []string // without indent
}

// mark is an anchor or an alias. A member that has one cannot go everywhere.
type mark struct {
	name   string
	anchor bool
}

// addLine gives an entry the comment behind it; there is room for one.
func (e *entry) addLine(text string) {
	if e.line == "" {
		e.line = text
		return
	}
	e.addHead(comment{text: text})
}

// addHead puts comments between those above the entry and the entry.
func (e *entry) addHead(list ...comment) {
	if len(e.head) == 0 && len(list) > 0 {
		list[0].blank, e.blank = e.blank, false
	}
	e.head = append(e.head, list...)
}

// spaced whether a blank line stands above the entry with its comments.
func (e *entry) spaced() bool {
	if len(e.head) > 0 {
		return e.head[0].blank || e.blank
	}
	return e.blank
}

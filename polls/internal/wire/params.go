package wire

import (
	"net/http"
	"strings"
	"unicode/utf8"
)

// What a request may hold at most.
const (
	MaxBody   = 64 << 10 // bytes
	maxParams = 100      // in body and query string together
	maxDepth  = 8        // of JSON, the object itself being the first
)

// Params are the parameters of one request. An empty text and a JSON null are
// the same as no parameter at all.
type Params struct {
	list  []param // by precedence: path, body, query string
	path  int     // how many of them are from the path
	place int     // where the ones of the place that is being read begin
	room  [6]param
}

type param struct {
	name  string
	value value
}

// value is a parameter before anybody has said which type it should have.
type value struct {
	kind kind
	text string // decoded for text; for anything else as it stands in the JSON
}

type kind uint8

const (
	text kind = iota // from a path, a form, a query string, or a JSON string
	number
	boolean
	null
	array
	object
)

func (v value) given() bool { return v.kind != null && (v.kind != text || v.text != "") }

// Read collects the parameters of a request: from the path as far as the matched
// pattern names them, from the body except for GET and HEAD, and from the query
// string. All of the request is checked, also what nobody will ask for.
func Read(r *http.Request) (*Params, error) { return read(r, false) }

// ReadBeacon is Read for what browsers send by sendBeacon: the body may also be
// JSON that is called text/plain.
func ReadBeacon(r *http.Request) (*Params, error) { return read(r, true) }

func read(r *http.Request, plainJSON bool) (*Params, error) {
	p := new(Params)
	p.list = p.room[:0]
	if err := p.readPath(r); err != nil {
		return nil, err
	}
	p.path, p.place = len(p.list), len(p.list)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		if err := p.readBody(r, plainJSON); err != nil {
			return nil, err
		}
	}
	p.place = len(p.list)
	if err := p.readForm(r.URL.RawQuery); err != nil {
		return nil, err
	}
	return p, nil
}

// readPath finds the names in the pattern, as in "GET /polls/{poll_id}".
func (p *Params) readPath(r *http.Request) error {
	for rest := r.Pattern; ; {
		_, after, found := strings.Cut(rest, "{")
		if !found {
			return nil
		}
		name, after, _ := strings.Cut(after, "}")
		name, rest = strings.TrimSuffix(name, "..."), after
		if name == "$" {
			continue
		}
		v := r.PathValue(name)
		if err := checkText(v); err != nil {
			return err
		}
		p.list = append(p.list, param{name, value{text, v}})
	}
}

func (p *Params) add(name string, v value) error {
	for _, other := range p.list[p.place:] {
		if other.name != name {
			continue
		}
		if other.value != v {
			return Errorf(DuplicateParameter, shown(name), "a parameter is given twice with different values; send it once")
		}
		return nil
	}
	if len(p.list)-p.path == maxParams {
		return Errorf(InvalidParameter, "", "at most %d parameters are taken", maxParams)
	}
	p.list = append(p.list, param{name, v})
	return nil
}

// shown is a name that a stranger made up, if it is fit to be told back to them.
func shown(name string) string {
	if len(name) > 64 {
		return ""
	}
	return name
}

// checkText refuses what is no text in UTF-8, and U+0000.
func checkText(s string) error {
	if !utf8.ValidString(s) {
		return Errorf(InvalidEncoding, "", "text must be valid UTF-8")
	}
	if strings.IndexByte(s, 0) >= 0 {
		return errNUL
	}
	return nil
}

var errNUL = Errorf(InvalidEncoding, "", "text must not contain U+0000")

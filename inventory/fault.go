package inventory

import (
	"cmp"
	"fmt"
	"slices"
)

// Severity says whether a document can be used in spite of a fault.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Fault is one thing that is wrong, with its place. Line and column are 0 only
// when the file could not be read.
type Fault struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	Path     string   `json:"path"` // JSON pointer
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"`
	Stage    string   `json:"stage"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint"`

	doc *Document // for the lines around it
}

// Faults is what is wrong with some documents, in the order of reading.
type Faults []Fault

// Invalid reports whether one of them is an error.
func (fs Faults) Invalid() bool {
	return slices.ContainsFunc(fs, func(f Fault) bool { return f.Severity == Error })
}

// Count is how many have a severity.
func (fs Faults) Count(s Severity) int {
	n := 0
	for _, f := range fs {
		if f.Severity == s {
			n++
		}
	}
	return n
}

func (fs Faults) sort() Faults {
	slices.SortStableFunc(fs, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Path, b.Path))
	})
	return fs
}

// maxFaults bounds what one hostile document can make us say.
const maxFaults = 10_000

// collector gathers the faults of one document.
type collector struct {
	doc    *Document
	faults Faults
}

// add tells a fault; its code says how severe it is.
func (c *collector) add(code Code, at Place, path, hint, format string, args ...any) {
	if len(c.faults) >= maxFaults {
		return
	}
	c.faults = append(c.faults, Fault{
		File: c.doc.Name, Line: int(at.Line), Column: int(at.Column), Path: path,
		Code: code, Severity: code.Severity(), Stage: code.Stage(),
		Message: fmt.Sprintf(format, args...), Hint: hint,
		doc: c.doc,
	})
}

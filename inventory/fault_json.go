package inventory

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
)

// WriteJSON writes {"valid": …, "faults": […]}.
func (fs Faults) WriteJSON(w io.Writer) error {
	if fs == nil {
		fs = Faults{}
	}
	return writeIndented(w, struct {
		Valid  bool   `json:"valid"`
		Faults Faults `json:"faults"`
	}{!fs.Invalid(), fs})
}

func writeIndented(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifRule struct {
	ID    string    `json:"id"`
	Short sarifText `json:"shortDescription"`
	Full  sarifText `json:"fullDescription"`
}

type sarifRegion struct {
	Line   int `json:"startLine"`
	Column int `json:"startColumn"`
}

type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
	Region *sarifRegion `json:"region,omitempty"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

type sarifResult struct {
	RuleID    string          `json:"ruleId"`
	RuleIndex int             `json:"ruleIndex"`
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifRun struct {
	Tool       sarifTool     `json:"tool"`
	ColumnKind string        `json:"columnKind"`
	Results    []sarifResult `json:"results"`
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

var sarifLevel = map[Severity]string{Error: "error", Warning: "warning", Info: "note"}

// WriteSARIF writes a SARIF 2.1.0 log with one run, for code hosts and editors.
func (fs Faults) WriteSARIF(w io.Writer) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "stoa", Rules: []sarifRule{}}
	rules := make(map[Code]int)
	for _, f := range fs {
		index, known := rules[f.Code]
		if !known {
			index = len(run.Tool.Driver.Rules)
			rules[f.Code] = index
			about := f.Code.About()
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules,
				sarifRule{ID: string(f.Code), Short: sarifText{about.Title}, Full: sarifText{about.Explanation}})
		}
		run.Results = append(run.Results, sarifResultOf(f, index))
	}
	return writeIndented(w, sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func sarifResultOf(f Fault, rule int) sarifResult {
	text := f.Message
	if f.Hint != "" {
		text += " (" + f.Hint + ")"
	}
	r := sarifResult{RuleID: string(f.Code), RuleIndex: rule, Level: sarifLevel[f.Severity], Message: sarifText{text}}
	var location sarifLocation
	location.Physical.Artifact.URI = (&url.URL{Path: filepath.ToSlash(f.File)}).String()
	if f.Line > 0 {
		location.Physical.Region = &sarifRegion{f.Line, f.Column}
	}
	location.Logical = []sarifLogical{{f.Path}}
	r.Locations = []sarifLocation{location}
	return r
}

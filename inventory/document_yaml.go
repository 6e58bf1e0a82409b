package inventory

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// readYAML reads the one document of a YAML text.
func readYAML(c *collector, text []byte) *Value {
	if at, what := outline(text); what != "" {
		c.add(what, at, "", "", limitText[what], limitOf[what])
		return nil
	}
	decoder := yaml.NewDecoder(bytes.NewReader(version11(text)))
	var doc, more yaml.Node
	switch err := decoder.Decode(&doc); {
	case errors.Is(err, io.EOF):
		c.add(ParseEmpty, Place{1, 1}, "", "start with cluster_name and nodes", "the document is empty, want a map")
		return nil
	case err != nil:
		yamlSyntax(c, text, err)
		return nil
	}
	switch err := decoder.Decode(&more); {
	case err == nil:
		c.add(ParseDocuments, nodePlace(&more), "", "remove the second document", "more than one YAML document, want one per file")
		return nil
	case !errors.Is(err, io.EOF):
		yamlSyntax(c, text, err)
		return nil
	}
	return yamlRoot(c, doc.Content[0])
}

func yamlRoot(c *collector, n *yaml.Node) *Value {
	r := &yamlReader{c: c, anchored: make(map[*yaml.Node]*anchored), lines: realLines(c.doc.text)}
	root, _ := r.value(n, 1)
	switch {
	case len(c.faults) > 0:
		return nil
	case root.Kind == Null:
		c.add(ParseEmpty, root.At, "", "start with cluster_name and nodes", "the document is empty, want a map")
	case root.Kind != Map:
		c.add(ParseRoot, root.At, "", "", "the document is %s, want a map", kindName(root))
	}
	return root
}

var limitText = map[Code]string{ParseDepth: "nested deeper than %d levels", ParseTooMany: "more than %d values"}
var limitOf = map[Code]int{ParseDepth: maxDepth, ParseTooMany: maxValues}

var directive = regexp.MustCompile(`(?m)^%YAML[ \t]+1\.([0-9]+)`)

// version11 lets a %YAML 1.2 directive pass: the scanner knows 1.1 only, and 1.1
// is how scalars are read anyway. Places do not move.
func version11(text []byte) []byte {
	m := directive.FindSubmatchIndex(text)
	if m == nil || bytes.Contains(text[:m[0]], []byte("\n---")) || string(text[m[2]:m[3]]) == "1" {
		return text
	}
	text = bytes.Clone(text)
	for i := m[2]; i < m[3]; i++ {
		text[i] = ' '
	}
	text[m[2]] = '1'
	return text
}

func nodePlace(n *yaml.Node) Place { return Place{int32(max(1, n.Line)), int32(max(1, n.Column))} }

var (
	yamlLine      = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	unknownAnchor = regexp.MustCompile(`unknown anchor '(.*)' referenced`)
	bareTemplate  = regexp.MustCompile(`(?m)^[^#'"\n]*(?:[:,\[-]|^)[ \t]+(\{\{|\{%)`)
)

// yamlSyntax tells a syntax fault. The scanner gives a line at best, sometimes
// the one before; common mistakes are found again in the text.
func yamlSyntax(c *collector, text []byte, err error) {
	m := yamlLine.FindStringSubmatch(err.Error())
	what := strings.TrimPrefix(err.Error(), m[0])
	if strings.Contains(what, "exceeded max depth") {
		c.add(ParseDepth, Place{1, 1}, "", "", limitText[ParseDepth], maxDepth)
		return
	}
	if a := unknownAnchor.FindStringSubmatch(what); a != nil {
		c.add(ParseAlias, findText(text, "*"+a[1]), "", "define it before with &"+short(a[1]), "alias *%s has no anchor", short(a[1]))
		return
	}
	if t := bareTemplate.FindSubmatchIndex(text); t != nil {
		c.add(ParseTemplate, placeOf(text, t[2]), "", "put the whole value in quotes", "a template must stand in quotes: outside of them YAML takes the brace for a map")
		return
	}
	line := 1
	if m[1] != "" {
		line, _ = strconv.Atoi(m[1])
	}
	at, hint := syntaxPlace(c.doc, text, line, what)
	c.add(ParseSyntax, at, "", hint, "not valid YAML: %s", what)
}

func findText(text []byte, what string) Place {
	i := bytes.Index(text, []byte(what))
	if i < 0 {
		return Place{1, 1}
	}
	return placeOf(text, i)
}

func placeOf(text []byte, offset int) Place {
	before := text[:offset]
	line := bytes.Count(before, []byte("\n"))
	last := before[bytes.LastIndexByte(before, '\n')+1:]
	return Place{int32(line) + 1, int32(len([]rune(string(last)))) + 1}
}

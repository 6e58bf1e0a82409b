package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

const defaultFile = "stoa.yaml"

// largestFile is far beyond all settings with a comment each, in bytes.
const largestFile = 1 << 20

// document is a settings file as it was read, or none.
type document struct {
	path     string
	settings map[string]setting
}

// setting is the text of a value, and where its key stands. YAML's types play
// no part: off, 0640 and 1e3 are what the file says, as in the environment.
type setting struct {
	value        string
	line, column int
}

func (d document) fault(line, column int, format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", d.path, line, column, fmt.Errorf(format, args...))
}

// load returns the faults of all keys at once, with what could be read.
func load(file string, environ map[string]string) (document, error) {
	named := cmp.Or(file, environ["STOA_CONFIG"])
	doc := document{path: cmp.Or(named, defaultFile), settings: map[string]setting{}}
	text, err := read(doc.path)
	if named == "" && errors.Is(err, fs.ErrNotExist) {
		return doc, nil
	}
	if err != nil {
		return doc, fmt.Errorf("settings file: %w", err)
	}
	return doc, doc.parse(text)
}

func read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, largestFile+1))
	if err == nil && len(text) > largestFile {
		err = fmt.Errorf("%s: larger than %d bytes", path, largestFile)
	}
	return text, err
}

func (d document) parse(text []byte) error {
	var root yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&root); errors.Is(err, io.EOF) {
		return nil
	} else if err != nil {
		return d.syntaxFault(err)
	}
	var second yaml.Node
	if err := decoder.Decode(&second); err == nil {
		return d.fault(second.Line, second.Column, "want one document, not several")
	} else if !errors.Is(err, io.EOF) {
		return d.syntaxFault(err)
	}
	if len(root.Content) == 0 || isNull(root.Content[0]) {
		return nil
	}
	return d.readSettings(root.Content[0])
}

var syntaxLine = regexp.MustCompile(`^yaml: line (\d+): `)

// syntaxFault puts the line where our other faults have it. YAML tells no column.
func (d document) syntaxFault(err error) error {
	text := err.Error()
	if at := syntaxLine.FindStringSubmatch(text); at != nil {
		return fmt.Errorf("%s:%s: %s", d.path, at[1], strings.TrimPrefix(text, at[0]))
	}
	return fmt.Errorf("%s: %s", d.path, strings.TrimPrefix(text, "yaml: "))
}

func (d document) readSettings(root *yaml.Node) error {
	if root.Kind != yaml.MappingNode {
		return d.fault(root.Line, root.Column, "want settings, each as name: value")
	}
	var faults []error
	for i := 0; i+1 < len(root.Content); i += 2 {
		key, node := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			faults = append(faults, d.fault(key.Line, key.Column, "want the name of a setting"))
			continue
		}
		if first, ok := d.settings[key.Value]; ok {
			faults = append(faults, d.fault(key.Line, key.Column, "setting %q was given before, in line %d", key.Value, first.line))
			continue
		}
		value, ok := textOf(node)
		if !ok {
			faults = append(faults, d.fault(node.Line, node.Column, "setting %q: want one value, or a list of values", key.Value))
		}
		d.settings[key.Value] = setting{value, key.Line, key.Column}
	}
	return errors.Join(faults...)
}

// textOf joins a list with commas, the form that the environment has for it.
func textOf(node *yaml.Node) (text string, ok bool) {
	node = target(node)
	if node.Kind != yaml.SequenceNode {
		return scalar(node)
	}
	var items []string
	for _, item := range node.Content {
		text, ok := scalar(target(item))
		if !ok {
			return "", false
		}
		items = append(items, text)
	}
	return strings.Join(items, ","), true
}

func scalar(node *yaml.Node) (text string, ok bool) {
	if isNull(node) {
		return "", true
	}
	return node.Value, node.Kind == yaml.ScalarNode
}

func target(node *yaml.Node) *yaml.Node {
	if node.Kind == yaml.AliasNode {
		return node.Alias
	}
	return node
}

func isNull(node *yaml.Node) bool {
	return node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
}

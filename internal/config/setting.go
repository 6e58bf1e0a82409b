package config

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"stoa/internal/env"
)

// Origin is where a setting got its value.
type Origin string

const (
	FromFlag     Origin = "flag"
	FromVariable Origin = "variable"
	FromFile     Origin = "file"
	FromDefault  Origin = "default"
)

// Setting is a value as operators may see it.
type Setting struct {
	Name   string // as in the file
	Value  string // masked, if it is secret
	Origin Origin
	Place  string // the flag, the variable, or file and line
	Help   string
}

// Settings is the flags of the command that was called, in their order. The command
// line was parsed with these sources.
func (r *Sources) Settings(command *kong.Context) []Setting {
	given := map[*kong.Flag]bool{} // on the command line, or else by these sources
	for _, path := range command.Path {
		if path.Flag != nil {
			given[path.Flag] = !path.Resolved
		}
	}
	var all []Setting
	for _, flag := range command.Selected().Flags {
		onLine, resolved := given[flag]
		s := Setting{Name: keyOf(flag.Name), Origin: FromDefault, Help: flag.Help}
		s.Value = env.Mask(s.Name, valueText(flag.Target))
		switch {
		case onLine:
			s.Origin, s.Place = FromFlag, "--"+flag.Name
		case resolved:
			s.Origin, s.Place = r.placeOf(s.Name)
		}
		all = append(all, s)
	}
	return all
}

// placeOf is where Resolve finds a setting.
func (r *Sources) placeOf(key string) (Origin, string) {
	if name := variableOf(key); r.environ[name] != "" {
		return FromVariable, name
	}
	return FromFile, fmt.Sprintf("%s:%d", r.doc.path, r.doc.settings[key].line)
}

// valueText is a value as the environment would have it.
func valueText(v reflect.Value) string {
	if text, ok := v.Interface().(encoding.TextMarshaler); ok {
		b, err := text.MarshalText()
		if err == nil {
			return string(b)
		}
	}
	if v.Kind() != reflect.Slice {
		return fmt.Sprint(v.Interface())
	}
	var items []string
	for i := range v.Len() {
		items = append(items, valueText(v.Index(i)))
	}
	return strings.Join(items, ",")
}

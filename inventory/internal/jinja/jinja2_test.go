package jinja_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"stoa/inventory/internal/jinja"
)

// The file was written by Jinja2 3.1 itself, rendering with context.json.
func TestSameAsJinja2(t *testing.T) {
	data, err := os.ReadFile("testdata/jinja2.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Template, Want string }
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	lookup := fromFile(t, "testdata/context.json")
	for _, c := range cases {
		t.Run(c.Template, func(t *testing.T) {
			got, err := jinja.Render(t.Context(), c.Template, lookup)
			if err != nil {
				t.Fatalf("%s: %v", c.Template, err)
			}
			if got != c.Want {
				t.Errorf("%s:\n got %q\nwant %q", c.Template, got, c.Want)
			}
		})
	}
}

// fromFile reads names from a JSON object, keeping the order of members and
// making every value below the names lazy.
func fromFile(tb testing.TB, file string) jinja.Lookup {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	root := read(tb, d).(*jinja.Map)
	return func(name string) (any, bool, error) {
		v, ok := root.Get(name)
		return v, ok, nil
	}
}

func read(tb testing.TB, d *json.Decoder) any {
	tok, err := d.Token()
	if err != nil {
		tb.Fatal(err)
	}
	switch tok := tok.(type) {
	case json.Delim:
		if tok == '[' {
			list := []any{}
			for d.More() {
				list = append(list, lazy(read(tb, d)))
			}
			skip(tb, d)
			return list
		}
		m := &jinja.Map{}
		for d.More() {
			key, _ := d.Token()
			m.Set(fmt.Sprint(key), lazy(read(tb, d)))
		}
		skip(tb, d)
		return m
	case json.Number:
		if i, err := tok.Int64(); err == nil {
			return i
		}
		f, _ := tok.Float64()
		return f
	default:
		return tok
	}
}

func lazy(v any) jinja.Lazy { return func() (any, error) { return v, nil } }

func skip(tb testing.TB, d *json.Decoder) {
	if _, err := d.Token(); err != nil {
		tb.Fatal(err)
	}
}

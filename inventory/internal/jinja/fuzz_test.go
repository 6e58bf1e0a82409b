package jinja_test

import (
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"stoa/inventory/internal/jinja"
)

func FuzzRender(f *testing.F) {
	data, err := os.ReadFile("testdata/jinja2.json")
	if err != nil {
		f.Fatal(err)
	}
	var cases []struct{ Template string }
	if err := json.Unmarshal(data, &cases); err != nil {
		f.Fatal(err)
	}
	for _, c := range cases {
		f.Add(c.Template)
	}
	lookup := fromFile(f, "testdata/context.json")
	budget := jinja.WithBudget(jinja.Budget{Steps: 20_000, Bytes: 1 << 20, Time: time.Second})
	f.Fuzz(func(t *testing.T, source string) {
		start := time.Now()
		_, err := jinja.Render(t.Context(), source, lookup, budget)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("took %s", took)
		}
		e, ok := errors.AsType[*jinja.Error](err)
		if err != nil && !ok {
			t.Errorf("got %T, want an *Error", err)
		}
		if ok && e.Err != nil {
			t.Errorf("the engine itself failed: %v", e)
		}
		if _, err := jinja.References(source); err != nil && !errors.As(err, &e) {
			t.Errorf("got %T, want an *Error", err)
		}
	})
}

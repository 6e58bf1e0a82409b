package render_test

import (
	"os"
	"path"
	"path/filepath"
	"reflect"
	"testing"

	"stoa/inventory"
	"stoa/inventory/render"
)

// Whatever resolves can be rendered or is refused, twice the same, and never
// leaves its folder.
func FuzzRender(f *testing.F) {
	for _, file := range documents {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, _ := inventory.Load("cluster.yaml", text)
		if doc == nil {
			return
		}
		inv, _ := inventory.Resolve(t.Context(), doc, inventory.Options{NoFiles: true})
		if inv == nil {
			return
		}
		files, notes, err := render.Render(inv, render.Options{})
		again, notesAgain, errAgain := render.Render(inv, render.Options{})
		if !reflect.DeepEqual(files, again) || !reflect.DeepEqual(notes, notesAgain) || (err == nil) != (errAgain == nil) {
			t.Error("a second time gives something else")
		}
		for _, f := range files {
			if name := f.Name(); name != path.Clean(name) || !filepath.IsLocal(name) {
				t.Errorf("file %q", name)
			}
		}
	})
}

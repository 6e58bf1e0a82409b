// Package asset serves scripts, styles and pictures that are part of the program.
package asset

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Bundle is files with one hash over their contents. The hash is a folder of the
// address rather than a part of each name, so that modules import each other by their
// plain names:
//
//	"GET /player/{version}/{file}": bundle.ServeHTTP
type Bundle struct {
	prefix  string
	version string
	files   map[string]file
}

type file struct {
	kind              string
	content, squeezed []byte
}

// New reads the files of folders, without those whose names begin with a dot. They are
// served below prefix. It panics if they cannot be read: they are part of the program.
func New(prefix string, folders ...fs.FS) *Bundle {
	b := &Bundle{prefix: prefix, files: map[string]file{}}
	for _, folder := range folders {
		if err := b.add(folder); err != nil {
			panic(err)
		}
	}
	sum := sha256.New()
	for _, name := range b.Names() {
		sum.Write([]byte(name))
		sum.Write(b.files[name].content)
	}
	b.version = hex.EncodeToString(sum.Sum(nil)[:8])
	return b
}

func (b *Bundle) add(folder fs.FS) error {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, ".") { // such as what keeps an empty folder
			continue
		}
		content, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		b.files[name] = file{kind: kindOf(name), content: content, squeezed: squeeze(content)}
	}
	return nil
}

func kindOf(name string) string {
	if path.Ext(name) == ".js" {
		return "text/javascript; charset=utf-8" // a module of any other type is refused
	}
	return mime.TypeByExtension(path.Ext(name))
}

func squeeze(content []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	w.Write(content)
	w.Close()
	return b.Bytes()
}

// Names is the files, sorted.
func (b *Bundle) Names() []string { return slices.Sorted(maps.Keys(b.files)) }

// Has tells whether there is a file of that name.
func (b *Bundle) Has(name string) bool { _, has := b.files[name]; return has }

// Path is the address of a file, below the origin.
func (b *Bundle) Path(name string) string { return path.Join(b.prefix, b.version, name) }

// ServeHTTP serves the path value file. With the version of this build it never changes.
// A page of another build, as there is while processes are replaced one by one, gets the
// present file, uncached.
func (b *Bundle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := b.files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.PathValue("version") != b.version {
		h.Set("Cache-Control", "no-cache")
	}
	content := f.content
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		content = f.squeezed
	}
	h.Set("Content-Length", strconv.Itoa(len(content)))
	w.Write(content)
}

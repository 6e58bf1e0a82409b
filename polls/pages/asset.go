package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// AssetsPattern is where the router must put [Assets].
const AssetsPattern = "GET /assets/{version}/{file}"

//go:embed assets
var assetFiles embed.FS

// bundle is all assets with one hash over their contents. The hash is a folder
// of the address rather than a part of each name, so that modules import each
// other by their plain names.
type bundle struct {
	version string
	files   map[string]asset
}

type asset struct {
	kind              string
	content, squeezed []byte
}

// Assets serves scripts, styles and pictures of the pages. With the version of
// this build they never change. A page of another build, as there is while
// processes are replaced one by one, gets the present files, uncached.
func Assets() http.Handler { return http.HandlerFunc(serveAsset) }

func serveAsset(w http.ResponseWriter, r *http.Request) {
	b := assets()
	file, ok := b.files[r.PathValue("file")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", file.kind)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	if r.PathValue("version") != b.version {
		h.Set("Cache-Control", "no-cache")
	}
	content := file.content
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		content = file.squeezed
	}
	h.Set("Content-Length", strconv.Itoa(len(content)))
	w.Write(content)
}

// AssetPath is the address of an asset, below the origin.
func AssetPath(file string) string { return path.Join("/assets", assets().version, file) }

var assets = sync.OnceValue(func() bundle {
	entries, err := assetFiles.ReadDir("assets")
	if err != nil {
		panic(err) // the folder is embedded
	}
	b := bundle{files: map[string]asset{}}
	sum := sha256.New()
	for _, entry := range entries {
		name := entry.Name()
		content, err := assetFiles.ReadFile(path.Join("assets", name))
		if err != nil {
			panic(err)
		}
		sum.Write([]byte(name))
		sum.Write(content)
		b.files[name] = asset{kind: kindOf(name), content: content, squeezed: squeeze(content)}
	}
	b.version = hex.EncodeToString(sum.Sum(nil)[:8])
	return b
})

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

package player

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
	"sync"

	"stoa/internal/asset"
)

// AssetsPattern is where the router must put [Assets].
const AssetsPattern = "GET /player/{version}/{file}"

// engine is hls.js, as scripts/player.sh brings it in.
const engine = "hls.js"

var (
	//go:embed script style
	ownFiles embed.FS

	//go:embed all:dist
	broughtFiles embed.FS
)

// Assets serves scripts and styles of the page.
func Assets() http.Handler { return assets() }

// Missing is "", or a sentence on what this build lacks: without hls.js most
// browsers play only videos that have an MP4.
func Missing() string {
	if assets().Has(engine) {
		return ""
	}
	return "This build has no hls.js: run scripts/player.sh (or make build) and build again."
}

func assetPath(file string) string { return assets().Path(file) }

var assets = sync.OnceValue(func() *asset.Bundle {
	return asset.New("/player", folder(ownFiles, "script"), folder(ownFiles, "style"), folder(broughtFiles, "dist"))
})

func folder(files fs.FS, name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// modules is the addresses of our own scripts that every page needs.
func modules() []string {
	var all []string
	for _, name := range assets().Names() {
		if strings.HasSuffix(name, ".js") && name != engine && name != "panorama.js" { // few videos need that one
			all = append(all, assetPath(name))
		}
	}
	return all
}

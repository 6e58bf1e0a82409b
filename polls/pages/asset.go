package pages

import (
	"embed"
	"io/fs"
	"net/http"
	"sync"

	"stoa/internal/asset"
)

// AssetsPattern is where the router must put [Assets].
const AssetsPattern = "GET /assets/{version}/{file}"

//go:embed assets
var assetFiles embed.FS

// Assets serves scripts, styles and pictures of the pages.
func Assets() http.Handler { return assets() }

// AssetPath is the address of an asset, below the origin.
func AssetPath(file string) string { return assets().Path(file) }

var assets = sync.OnceValue(func() *asset.Bundle {
	files, err := fs.Sub(assetFiles, "assets")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return asset.New("/assets", files)
})

package embed

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
)

//go:embed embed.js
var loader []byte

var loaderTag = func() string {
	sum := sha256.Sum256(loader)
	return `"` + hex.EncodeToString(sum[:8]) + `"`
}()

// Loader is embed.js and its ETag. The content must not be changed.
func Loader() (content []byte, etag string) { return loader, loaderTag }

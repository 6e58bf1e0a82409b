package embed

import (
	_ "embed"

	"stoa/polls/internal/wire"
)

//go:embed embed.js
var loader []byte

var loaderTag = wire.Tag(loader)

// Loader is embed.js and its ETag. The content must not be changed.
func Loader() (content []byte, etag string) { return loader, loaderTag }

package video

import (
	"crypto/rand"
	"strings"
)

const (
	idAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	idLength   = 22 // letters and digits after the prefix: 131 bits
)

// Prefixes of ids. Players tell a video from a live stream by them.
const (
	videoPrefix       = "vi"
	liveStreamPrefix  = "li"
	broadcastPrefix   = "br"
	themePrefix       = "pl"
	uploadTokenPrefix = "to"
	watermarkPrefix   = "watermark_"
	webhookPrefix     = "webhook_"
	hookSecretPrefix  = "sig_sec_"
	summaryPrefix     = "summary_"
)

// newID makes an id that nobody can guess.
func newID(prefix string) string {
	id := make([]byte, 0, idLength)
	for len(id) < idLength {
		var random [idLength * 2]byte
		rand.Read(random[:])
		for _, b := range random {
			if b &= 63; int(b) < len(idAlphabet) && len(id) < idLength { // the rest would favour some letters
				id = append(id, idAlphabet[b])
			}
		}
	}
	return prefix + string(id)
}

// isID tells whether s can be an id with that prefix, so that nothing else is looked up.
func isID(prefix, s string) bool {
	rest, found := strings.CutPrefix(s, prefix)
	return found && len(rest) == idLength && strings.Trim(rest, idAlphabet) == ""
}

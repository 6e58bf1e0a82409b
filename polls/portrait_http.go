package polls

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"

	"stoa/internal/web"
	"stoa/polls/internal/picture"
	"stoa/polls/internal/wire"
	"stoa/polls/limits"
)

// getPortrait draws the picture of an account, or of those without one. It is made
// of the number alone, so it never changes and nobody need be asked.
func (s *Service) getPortrait(w http.ResponseWriter, r *http.Request) error {
	if err := s.limit(&call{w: w, r: r, address: web.ClientAddress(r, s.Proxies)}, limits.Read); err != nil {
		return err
	}
	file := r.PathValue("file")
	who, size, ok := parsePortrait(file)
	if !ok {
		return wire.Errorf(wire.Unknown, "", "there is no such picture")
	}
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Security-Policy", "default-src 'none'")
	h.Set("ETag", `"`+file+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(picture.Portrait("user "+who, size)))
	return nil
}

// parsePortrait reads names as encoder.portrait makes them, and no others.
func parsePortrait(file string) (who string, size int, ok bool) {
	name, png := strings.CutSuffix(file, ".png")
	who, sized, dash := strings.Cut(name, "-")
	switch sized {
	case strconv.Itoa(smallPortrait):
		size = smallPortrait
	case strconv.Itoa(largePortrait):
		size = largePortrait
	default:
		return "", 0, false
	}
	id, err := strconv.ParseInt(who, 10, 64)
	known := who == "anonymous" || err == nil && id > 0 && id < wire.MaxNumber && strconv.FormatInt(id, 10) == who
	return who, size, png && dash && known
}

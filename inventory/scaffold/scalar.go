package scaffold

import (
	"encoding/json"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

var (
	plain = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9._/-]*$`)
	// words is what YAML takes for something else than text.
	words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
)

// scalar writes a text as YAML, with quotes where they are needed.
func scalar(text string) string {
	ip, err := netip.ParseAddr(text)
	if err == nil && ip.Is4() || plain.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	quoted, _ := json.Marshal(text)
	return string(quoted)
}

package embed_test

import (
	"regexp"
	"strings"
	"testing"

	"stoa/polls/embed"
)

func TestLoaderIsSmallAndLeavesNoGlobal(t *testing.T) {
	t.Parallel()
	content, etag := embed.Loader()
	if got, most := len(content), 4<<10; got >= most {
		t.Errorf("got %d bytes want under %d", got, most)
	}
	if !regexp.MustCompile(`^"[0-9a-f]{16}"$`).MatchString(etag) {
		t.Errorf("got ETag %s, want sixteen hexadecimal digits in quotes", etag)
	}
	code := strings.TrimSpace(regexp.MustCompile(`(?m)^//.*\n`).ReplaceAllString(string(content), ""))
	if !strings.HasPrefix(code, "(() => {") || !strings.HasSuffix(code, "})();") {
		t.Error("got code outside of the one function that runs at once")
	}
}

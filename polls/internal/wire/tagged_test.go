package wire_test

import (
	"net/http/httptest"
	"testing"

	"stoa/polls/internal/wire"
)

func TestTaggedIsNotSentToWhoHasIt(t *testing.T) {
	t.Parallel()
	tag, other := wire.Tag([]byte("{}")), wire.Tag([]byte("[]"))
	for _, c := range []struct {
		asked string
		want  int
	}{
		{"", 200},
		{other, 200},
		{tag[1 : len(tag)-1], 200},
		{tag, 304},
		{"W/" + tag, 304},
		{other + " , W/" + tag, 304},
		{"*", 304},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("If-None-Match", c.asked)
		got := httptest.NewRecorder()
		wire.NewTagged([]byte("{}")).Answer(got, r)
		if got.Code != c.want || got.Header().Get("ETag") != tag || (got.Body.Len() == 0) != (c.want == 304) {
			t.Errorf("If-None-Match: %s: got %d %v %q want %d", c.asked, got.Code, got.Header(), got.Body, c.want)
		}
	}
}

package wire_test

import (
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

// What a vote costs to be read.
func BenchmarkRead(b *testing.B) {
	const id = "0112340000000000000000000000000000000000000000000000000000ab"
	for _, bench := range []struct{ name, method, target, contentType, body string }{
		{"JSON", "POST", "/x", jsonType, `{"option":2,"anonymous_user_id":"` + id + `"}`},
		{"form", "POST", "/x", formType, "option=2&anonymous_user_id=" + id},
		{"query", "POST", "/x?option=2&anonymous_user_id=" + id, "", ""},
	} {
		b.Run(bench.name, func(b *testing.B) {
			body := strings.NewReader(bench.body)
			r := httptest.NewRequest(bench.method, bench.target, body)
			r.Header.Set("Content-Type", bench.contentType)
			b.ReportAllocs()
			for b.Loop() {
				_, _ = body.Seek(0, io.SeekStart)
				p, err := wire.Read(r)
				if err != nil {
					b.Fatal(err)
				}
				option, err := p.NeedNumber("option")
				voter, _, _ := p.String("anonymous_user_id")
				if err != nil || option != 2 || voter != id {
					b.Fatal(option, voter, err)
				}
			}
		})
	}
}

func BenchmarkJSON(b *testing.B) {
	w := httptest.NewRecorder()
	answer := map[string]any{"success": true, "voteCount": 1}
	b.ReportAllocs()
	for b.Loop() {
		w.Body.Reset()
		_ = wire.JSON(w, 200, answer)
	}
}

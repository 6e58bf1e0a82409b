package wire_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

func TestDigestIsTheSameForTheSameParameters(t *testing.T) {
	t.Parallel()
	digest := func(query, contentType, body string) string {
		r := httptest.NewRequest(http.MethodPost, "/?"+query, strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		p, err := wire.Read(r)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		p.Digest(&b, "auth_token")
		return b.String()
	}
	const form, object = "application/x-www-form-urlencoded", "application/json"
	want := digest("", form, "a=1&b=two")
	for name, got := range map[string]string{
		"other order":      digest("", form, "b=two&a=1"),
		"in the query":     digest("b=two&a=1", form, ""),
		"as JSON":          digest("", object, `{"a":1,"b":"two"}`),
		"body over query":  digest("a=9", form, "a=1&b=two"),
		"with an empty":    digest("", form, "a=1&b=two&c="),
		"with an excepted": digest("", form, "a=1&b=two&auth_token=x"),
	} {
		if got != want {
			t.Errorf("%s: got %q want %q", name, got, want)
		}
	}
	for name, got := range map[string]string{
		"other value":    digest("", form, "a=2&b=two"),
		"one more":       digest("", form, "a=1&b=two&c=3"),
		"one less":       digest("", form, "a=1"),
		"shifted border": digest("", form, "a=1b&=two"),
	} {
		if got == want {
			t.Errorf("%s: got the same digest", name)
		}
	}
}

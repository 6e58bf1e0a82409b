package wire_test

import (
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

// Whatever is sent, Read does not panic, refuses only by a wire error that blames
// the caller, and reads the same as the model.
func FuzzParams(f *testing.F) {
	for _, body := range []string{
		`{"option":2,"anonymous_user_id":"01ab"}`, `{"a":[1,"2",{"b":null}],"b":true,"c":1.50e2}`, `{"a":"\ud83d\ude00\n\u00e9\\u0000"}`,
		`{"a":"\ud800\\\udc00"}`, `{"a":1,"a":2}`, `{"a":[[[[[[[[1]]]]]]]]}`, `{} x`, `{"a":"\u0000"}`, "{\"a\":\"\xff\"}", `{"a":1e999999}`,
	} {
		f.Add("POST", jsonType, "a=0&z=%20", body)
	}
	for _, body := range []string{"option=2&anonymous_user_id=01ab", "a=1&a=2", "a=%ff", "a=%zz", "=&&a;b=+c&a", "a=" + strings.Repeat("x", 70000)} {
		f.Add("DELETE", formType+"; charset=utf-8", "a=1", body)
		f.Add("POST", "", body[:min(len(body), 100)], body)
	}
	f.Add("POST", "multipart/form-data; boundary=b", "", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n")
	f.Add("GET", "image/png", "a=1", "x")
	f.Add("PUT", "image/png", "", "x")
	f.Fuzz(func(t *testing.T, method, contentType, query, body string) {
		got, err := wire.Read(&http.Request{
			Method: method, URL: &url.URL{RawQuery: query}, Header: http.Header{"Content-Type": {contentType}},
			Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)),
		})
		if err != nil {
			if refusal, ok := err.(*wire.Error); !ok || refusal.Code.Status()/100 != 4 {
				t.Fatalf("got %#v, want an error for the caller", err)
			}
		}
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(contentType)), "multipart") {
			return
		}
		want, ok := modelRead(method, contentType, query, body)
		if ok != (err == nil) {
			t.Fatalf("got %v, want taken: %v", err, ok)
		}
		for name, value := range want {
			compare(t, got, name, value)
		}
	})
}

func compare(t *testing.T, p *wire.Params, name string, want any) {
	t.Helper()
	got, given, err := p.String(name)
	var text string
	switch want := want.(type) {
	case nil:
	case string:
		text = want
	case bool:
		text = strconv.FormatBool(want)
	case json.Number:
		text = want.String()
		compareNumber(t, p, name, text)
	case json.RawMessage:
		if err == nil || !given {
			t.Errorf("%q: got the text %q of %s", name, got, want)
		}
		compareList(t, p, name, want)
		return
	}
	if got != text || given != (text != "") || err != nil || p.Has(name) != given {
		t.Errorf("%q: got %q, %v, %v, want %q", name, got, given, err, text)
	}
}

func compareNumber(t *testing.T, p *wire.Params, name, literal string) {
	t.Helper()
	got, _, err := p.Number(name)
	_, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	if size, _ := strconv.Atoi(exponent); len(exponent) > 4 || max(size, -size) > 1000 {
		return // more than the model can hold
	}
	exact, ok := new(big.Rat).SetString(literal)
	if !ok {
		t.Fatalf("the model does not know %s", literal)
	}
	if exact.IsInt() != (err == nil) {
		t.Fatalf("%s: got %d, %v, want whole: %v", literal, got, err, exact.IsInt())
	}
	bound := new(big.Int).SetInt64(wire.MaxNumber)
	want := exact.Num()
	if err == nil && want.CmpAbs(bound) > 0 {
		want = bound.Mul(bound, big.NewInt(int64(want.Sign())))
	}
	if err == nil && want.Int64() != got {
		t.Errorf("%s: got %d, want %d", literal, got, want)
	}
}

// compareList takes a list apart as JSON does.
func compareList(t *testing.T, p *wire.Params, name string, raw json.RawMessage) {
	t.Helper()
	got, _, err := p.Strings(name)
	_, _, _ = p.Numbers(name)
	var values []json.RawMessage
	if json.Unmarshal(raw, &values) != nil {
		if err == nil {
			t.Errorf("%q: got the list %q of %s", name, got, raw)
		}
		return
	}
	var want []string
	for _, value := range values {
		var text string
		switch value[0] {
		case '[', '{':
			if err == nil {
				t.Errorf("%q: got the list %q of %s", name, got, raw)
			}
			return
		case '"':
			_ = json.Unmarshal(value, &text)
		case 'n':
		default:
			text = string(value)
		}
		if text = strings.TrimSpace(text); text != "" {
			want = append(want, text)
		}
	}
	if err != nil || strings.Join(got, "\x00") != strings.Join(want, "\x00") {
		t.Errorf("%q: got %q, %v, want %q", name, got, err, want)
	}
}

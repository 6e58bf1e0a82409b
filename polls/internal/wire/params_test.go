package wire_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

const (
	formType = "application/x-www-form-urlencoded"
	jsonType = "application/json"
)

func request(method, target, contentType, body string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

// read is what a handler of the pattern reads in a request.
func read(t testing.TB, pattern string, r *http.Request) (*wire.Params, error) {
	t.Helper()
	var p *wire.Params
	var err error
	mux := http.NewServeMux()
	mux.HandleFunc(pattern, func(_ http.ResponseWriter, r *http.Request) { p, err = wire.Read(r) })
	mux.ServeHTTP(httptest.NewRecorder(), r)
	if p == nil && err == nil {
		t.Fatalf("got no handler for %s %s", r.Method, r.URL)
	}
	return p, err
}

// wantCode fails the test unless err is a wire error with this code and field.
func wantCode(t testing.TB, what string, err error, code wire.Code, field string) {
	t.Helper()
	got, ok := err.(*wire.Error)
	if !ok || got.Code != code || got.Field != field {
		t.Errorf("%q: got %#v, want %s with field %q", what, err, code, field)
	}
}

func TestParametersComeFromEveryPlace(t *testing.T) {
	t.Parallel()
	multipart := "--b\r\nContent-Disposition: form-data; name=\"option\"\r\n\r\n2\r\n--b--\r\n"
	for _, test := range []struct{ name, method, target, contentType, body string }{
		{"query", "GET", "/x?option=2", "", ""},
		{"query of a POST", "POST", "/x?option=2", "", ""},
		{"form", "POST", "/x", formType, "option=2"},
		{"form in UTF-8", "POST", "/x", formType + "; charset=UTF-8", "option=2"},
		{"form without a type", "POST", "/x", "", "option=2"},
		{"multipart", "POST", "/x", `multipart/form-data; boundary="b"`, multipart},
		{"JSON", "POST", "/x", jsonType, `{"option":2}`},
		{"JSON in UTF-8", "POST", "/x", `Application/JSON;charset="utf-8"`, ` {"option":2} `},
		{"JSON string", "POST", "/x", jsonType, `{"option":"2"}`},
		{"body of a DELETE", "DELETE", "/x", jsonType, `{"option":2}`},
		{"body of a PUT", "PUT", "/x", jsonType, `{"option":2}`},
		{"body of a PATCH", "PATCH", "/x", formType, `option=2`},
	} {
		p, err := wire.Read(request(test.method, test.target, test.contentType, test.body))
		if err != nil {
			t.Errorf("%s: got %v", test.name, err)
			continue
		}
		if got, err := p.NeedNumber("option"); got != 2 || err != nil {
			t.Errorf("%s: got option %d, %v, want 2", test.name, got, err)
		}
	}
}

func TestPathThenBodyThenQuery(t *testing.T) {
	t.Parallel()
	p, err := read(t, "POST /polls/{poll_id}", request("POST",
		"/polls/1?poll_id=3&option=3&page=3&limit=3&tag=3", jsonType, `{"poll_id":2,"option":2,"page":null,"limit":""}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"poll_id": "1", "option": "2", "page": "3", "limit": "3", "tag": "3"} {
		if got, _, err := p.String(name); got != want || err != nil {
			t.Errorf("got %s %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestPathNamesOnlyItsOwnParameters(t *testing.T) {
	t.Parallel()
	p, err := read(t, "GET /publishers/{publisher_name}/sets/{rest...}", request("GET", "/publishers/a%2Fb/sets/1/2", "", ""))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"publisher_name": "a/b", "rest": "1/2", "rest...": "", "$": ""} {
		if got, given, err := p.String(name); got != want || given != (want != "") || err != nil {
			t.Errorf("got %s %q, %v, want %q", name, got, err, want)
		}
	}
}

func TestBodyOfGETIsIgnored(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"GET", "HEAD"} {
		p, err := wire.Read(request(method, "/x", "image/png", "option=2"))
		if err != nil || p.Has("option") {
			t.Errorf("%s: got %v, option %v, want neither", method, err, p.Has("option"))
		}
	}
}

func TestSameParameterTwiceInOnePlace(t *testing.T) {
	t.Parallel()
	parts := func(a, b string) string {
		const part = "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n%s\r\n"
		return fmt.Sprintf(part+part+"--b--", a, b)
	}
	for _, test := range []struct{ target, contentType, body string }{
		{"/x?a=1&a=2", "", ""},
		{"/x?a=1&a=", "", ""},
		{"/x?a=1&%61=2", "", ""},
		{"/x", formType, "a=1&b=1&a=2"},
		{"/x", "multipart/form-data; boundary=b", parts("1", "2")},
		{"/x", jsonType, `{"a":1,"a":2}`},
		{"/x", jsonType, `{"a":1,"a":"1"}`},
		{"/x", jsonType, `{"a":1,"\u0061":null}`},
	} {
		_, err := wire.Read(request("POST", test.target, test.contentType, test.body))
		wantCode(t, test.target+" "+test.body, err, wire.DuplicateParameter, "a")
	}
	for _, test := range []struct{ target, contentType, body string }{
		{"/x?a=1&a=1", "", ""},
		{"/x?a=1", formType, "a=2"},
		{"/x", "multipart/form-data; boundary=b", parts("1", "1")},
		{"/x", jsonType, `{"a":1,"a":1}`},
		{"/x", jsonType, `{"a":{"b":1,"b":2}}`},
	} {
		if _, err := wire.Read(request("POST", test.target, test.contentType, test.body)); err != nil {
			t.Errorf("%s %s: got %v, want no error", test.target, test.body, err)
		}
	}
}

func TestAtMostHundredParameters(t *testing.T) {
	t.Parallel()
	pairs := func(name string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "&%s%d=1", name, i)
		}
		return b.String()
	}
	if _, err := read(t, "POST /polls/{id}", request("POST", "/polls/1?"+pairs("q", 40), formType, pairs("b", 60))); err != nil {
		t.Errorf("100 besides the path: got %v", err)
	}
	_, err := wire.Read(request("POST", "/x?"+pairs("q", 41), formType, pairs("b", 60)))
	wantCode(t, "101 in two places", err, wire.InvalidParameter, "")
	var b strings.Builder
	for i := range 101 {
		fmt.Fprintf(&b, `,"n%d":null`, i)
	}
	_, err = wire.Read(request("POST", "/x", jsonType, "{"+b.String()[1:]+"}"))
	wantCode(t, "101 members", err, wire.InvalidParameter, "")
}

func TestTextThatIsNoText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ target, contentType, body string }{
		{"/x?a=%ff", "", ""},
		{"/x?%ff=a", "", ""},
		{"/x?a=%C0%80", "", ""},
		{"/x?a=%ED%A0%80", "", ""},
		{"/x?a=%00", "", ""},
		{"/x?a=%zz", "", ""},
		{"/x?a=%2", "", ""},
		{"/x", formType, "a=\xff"},
		{"/x", formType, "a=%f0%9f"},
		{"/x", formType, "a=b%00c"},
		{"/x", formType, "a=100%"},
		{"/x", jsonType, "{\"a\":\"\xff\"}"},
		{"/x", jsonType, "{\"a\":\"\x00\"}"},
		{"/x", jsonType, `{"a":"\u0000"}`},
		{"/x", jsonType, `{"a\u0000":1}`},
		{"/x", jsonType, `{"a":"\ud800"}`},
		{"/x", jsonType, `{"a":"\ud800x"}`},
		{"/x", jsonType, `{"a":"\ud800\ud800"}`},
		{"/x", jsonType, `{"a":"\udc00\ud800"}`},
		{"/x", jsonType, `{"a":"\ud800\n"}`},
		{"/x", jsonType, `{"a":[{"b":"\udfff"}]}`},
		{"/x", "multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\xff\r\n--b--"},
		{"/x", "multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n\x00\r\n--b--"},
		{"/x", "multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"\xff\"\r\n\r\n1\r\n--b--"},
	} {
		_, err := wire.Read(request("POST", test.target, test.contentType, test.body))
		wantCode(t, test.target+" "+test.body, err, wire.InvalidEncoding, "")
	}
	for _, path := range []string{"/polls/%ff", "/polls/%00"} {
		_, err := read(t, "GET /polls/{id}", request("GET", path, "", ""))
		wantCode(t, path, err, wire.InvalidEncoding, "")
	}
}

func TestTextKeepsEveryCharacter(t *testing.T) {
	t.Parallel()
	const want = "é & \U0001F600 <b>;\"+\u2028"
	for _, test := range []struct{ name, target, contentType, body string }{
		{"query", "/x?a=%C3%A9+%26%20%F0%9F%98%80%20%3Cb%3E;%22%2B%E2%80%A8", "", ""},
		{"form", "/x", formType, "a=é+%26+\U0001F600+<b>;\"%2B\u2028"},
		{"JSON", "/x", jsonType, "{\"a\":\"é & \U0001F600 <b>;\\\"+\u2028\"}"},
		{"JSON escapes", "/x", jsonType, `{"\u0061":"\u00E9 \u0026 \uD83D\ude00 <b>;\u0022+\u2028"}`},
		{"multipart", "/x", "multipart/form-data; boundary=b",
			"--b\r\nContent-Disposition: form-data; name=a\r\n\r\n" + want + "\r\n--b--"},
	} {
		p, err := wire.Read(request("POST", test.target, test.contentType, test.body))
		if err != nil {
			t.Errorf("%s: got %v", test.name, err)
			continue
		}
		if got, _, _ := p.String("a"); got != want {
			t.Errorf("%s: got %q, want %q", test.name, got, want)
		}
	}
}

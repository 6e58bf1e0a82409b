package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"stoa/polls/internal/wire"
)

func TestBodyTypesThatAreNotTaken(t *testing.T) {
	t.Parallel()
	for _, contentType := range []string{
		"text/plain", "application/xml", "application/problem+json", "multipart/mixed; boundary=b", "nonsense", ";", "/",
		formType + "; charset=iso-8859-1", jsonType + "; charset=utf-16", jsonType + "; charset=", "application/json; charset",
	} {
		_, err := wire.Read(request("POST", "/x", contentType, "{}"))
		wantCode(t, contentType, err, wire.UnsupportedMediaType, "")
	}
	r := request("POST", "/x", jsonType, "{}")
	r.Header.Set("Content-Encoding", "gzip")
	_, err := wire.Read(r)
	wantCode(t, "gzip", err, wire.UnsupportedMediaType, "")
}

func TestEmptyBodyGivesNoParametersWhateverItsType(t *testing.T) {
	t.Parallel()
	for _, contentType := range []string{"", formType, jsonType, "multipart/form-data", "image/png", jsonType + "; charset=utf-16"} {
		p, err := wire.Read(request("POST", "/x?a=1", contentType, ""))
		if err != nil || !p.Has("a") {
			t.Errorf("%q: got %v, want a from the query", contentType, err)
		}
		chunked := httptest.NewRequest("POST", "/x", strings.NewReader(""))
		chunked.Header.Set("Content-Type", contentType)
		chunked.ContentLength = -1
		if _, err := wire.Read(chunked); err != nil {
			t.Errorf("%q of unknown length: got %v", contentType, err)
		}
	}
}

func TestBeaconTakesJSONAsPlainText(t *testing.T) {
	t.Parallel()
	p, err := wire.ReadBeacon(request("POST", "/x", "text/plain;charset=UTF-8", `{"event":"view"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.NeedString("event"); got != "view" || err != nil {
		t.Errorf("got event %q, %v, want view", got, err)
	}
	_, err = wire.ReadBeacon(request("POST", "/x", "text/html", `{"event":"view"}`))
	wantCode(t, "text/html", err, wire.UnsupportedMediaType, "")
}

func TestMultipartThatIsNotTaken(t *testing.T) {
	t.Parallel()
	const file = "--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=%s\r\nContent-Type: image/png\r\n\r\nx\r\n--b--"
	for _, name := range []string{`"a.png"`, `""`} {
		_, err := wire.Read(request("POST", "/x", "multipart/form-data; boundary=b", fmt.Sprintf(file, name)))
		wantCode(t, "file "+name, err, wire.InvalidParameter, "photo")
	}
	for _, body := range []string{
		"x", "--b", "--b\r\n", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1", "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b\r\n",
		"x--b--",
		"--b\r\n\r\n1\r\n--b--", "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--",
		"--b\r\nContent-Disposition: attachment; name=a\r\n\r\n1\r\n--b--", "--b\r\nno header\r\n\r\n1\r\n--b--",
	} {
		_, err := wire.Read(request("POST", "/x", "multipart/form-data; boundary=b", body))
		wantCode(t, body, err, wire.InvalidParameter, "")
	}
	_, err := wire.Read(request("POST", "/x", "multipart/form-data", "--b--"))
	wantCode(t, "no boundary", err, wire.InvalidParameter, "")
}

func TestBodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest("POST", "/x", iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("a=1"))))
	_, err := wire.Read(r)
	wantCode(t, "broken", err, wire.InvalidParameter, "")
}

func TestBodySizeIsBounded(t *testing.T) {
	t.Parallel()
	fits := "a=" + strings.Repeat("x", wire.MaxBody-2)
	for _, length := range []int64{int64(len(fits)), -1} {
		r := request("POST", "/x", formType, fits)
		r.ContentLength = length
		if _, err := wire.Read(r); err != nil {
			t.Errorf("%d bytes, declared %d: got %v", len(fits), length, err)
		}
	}
	rest := &counter{Reader: strings.NewReader(strings.Repeat("x", 10*wire.MaxBody))}
	r := httptest.NewRequest("POST", "/x", rest)
	_, err := wire.Read(r)
	wantCode(t, "undeclared", err, wire.BodyTooLarge, "")
	if rest.n > wire.MaxBody+1 {
		t.Errorf("got %d bytes read, want no more than one too many", rest.n)
	}
	r = request("POST", "/x", formType, fits+"x")
	r.Body = io.NopCloser(iotest.ErrReader(io.ErrNoProgress))
	_, err = wire.Read(r)
	wantCode(t, "declared, not read", err, wire.BodyTooLarge, "")
}

type counter struct {
	io.Reader
	n int
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.Reader.Read(b)
	c.n += n
	return n, err
}

// talk sends a request without ever sending all of its body, and returns what
// the server answers until it closes the connection.
func talk(t *testing.T, h http.Handler, request string) (status int, answer string) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second)) // for a server that waits for the body
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || !resp.Close {
		t.Errorf("got body %s, %v, close %v, want a whole answer that closes", body, err, resp.Close)
	}
	if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 {
		t.Errorf("got %q, %v after the answer, want a closed connection", rest, err)
	}
	return resp.StatusCode, string(body)
}

func TestTooLargeBodyIsAnsweredAndTheConnectionClosed(t *testing.T) {
	t.Parallel()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, err := wire.Read(r)
		wire.Refuse(err).Write(w)
	})
	for name, request := range map[string]string{
		"declared":      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\na=1",
		"declared huge": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000000000\r\n\r\n",
		"expected":      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\nExpect: 100-continue\r\n\r\n",
		"chunked":       "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n11170\r\n" + strings.Repeat("x", 70000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if status, answer := talk(t, h, request); status != 413 || !strings.Contains(answer, `"body_too_large"`) {
				t.Errorf("got %d %s, want 413 body_too_large", status, answer)
			}
		})
	}
}

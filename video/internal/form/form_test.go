package form_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/video/internal/form"
	"stoa/video/internal/problem"
)

const (
	formType = "multipart/form-data; boundary=b"
	fileHead = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"clip.mp4\"\r\nContent-Type: video/mp4\r\n\r\n"
	end      = "\r\n--b--\r\n"
)

func field(name, value string) string {
	return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
}

// got is what a form gave.
type got struct {
	name, content  string
	before, fields map[string]string
	files          int
	err            error
}

func read(r *http.Request, o form.Options) (g got) {
	g.fields, g.err = form.Read(r, o, func(f form.File) error {
		g.files++
		g.name, g.before = f.Name, f.Fields
		content, err := io.ReadAll(f.Body)
		g.content = string(content)
		if err != nil {
			return fmt.Errorf("store: %w", err)
		}
		return nil
	})
	return g
}

func post(contentType, body string) *http.Request {
	r := httptest.NewRequest("POST", "/", io.MultiReader(strings.NewReader(body))) // of unknown length
	r.Header.Set("Content-Type", contentType)
	return r
}

func TestFieldsBeforeAndAfterTheFile(t *testing.T) {
	t.Parallel()
	g := read(post(formType, field("link", "old")+field("link", "x&y")+fileHead+"content\r\n--"+"\r\n"+field("videoId", "vi1")+"--b--"), form.Options{Limit: 100})
	if g.err != nil || g.name != "clip.mp4" || g.content != "content\r\n--" {
		t.Fatalf("got %+v, want the clip", g)
	}
	if want := map[string]string{"link": "x&y"}; !maps.Equal(g.before, want) {
		t.Errorf("got fields %v before the file, want %v", g.before, want)
	}
	if want := map[string]string{"link": "x&y", "videoId": "vi1"}; !maps.Equal(g.fields, want) {
		t.Errorf("got fields %v, want %v", g.fields, want)
	}
}

func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for disposition, want := range map[string]string{
		`form-data; name="clip one.mp4"; filename="clip one.mp4"`: "clip one.mp4",
		`form-data; filename=a.mp4`:                               "a.mp4",
		`form-data; name="file"; filename="Füße 北.mp4"`:           "Füße 北.mp4",
		`form-data; name="file"; filename*=UTF-8''F%C3%BC.mp4`:    "Fü.mp4",
		`form-data; name="file"; filename="say \"hi\".mp4"`:       `say "hi".mp4`,
		`form-data; name="file"; filename="../../etc/passwd"`:     "passwd",
		`form-data; name="file"; filename="C:\films\a.mp4"`:       "a.mp4",
		"form-data; name=\"file\"; filename=\"a\xff.mp4\"":        "a\uFFFD.mp4",
	} {
		g := read(post(formType, "--b\r\nContent-Disposition: "+disposition+"\r\n\r\nx"+end), form.Options{Limit: 1})
		if g.err != nil || g.name != want || g.content != "x" {
			t.Errorf("%s: got %q with %q (%v), want %q", disposition, g.name, g.content, g.err, want)
		}
	}
}

func TestFormsThatAreRefused(t *testing.T) {
	t.Parallel()
	payload := problem.InvalidPayload
	for _, test := range []struct {
		name, contentType, body string
		want                    *problem.Error
	}{
		{"no content type", "", fileHead + "x" + end, problem.NoFile},
		{"JSON", "application/json", "{}", problem.NoFile},
		{"a plain file", "video/mp4", "x", problem.NoFile},
		{"another multipart", "multipart/mixed; boundary=b", fileHead + "x" + end, problem.NoFile},
		{"no boundary", "multipart/form-data", fileHead + "x" + end, payload},
		{"a boundary that is too long", "multipart/form-data; boundary=" + strings.Repeat("b", 71), "", payload},
		{"another boundary", "multipart/form-data; boundary=c", fileHead + "x" + end, payload},
		{"no body", formType, "", payload},
		{"no part", formType, "--b--\r\n", problem.NoFile},
		{"fields alone", formType, field("videoId", "vi1") + "--b--\r\n", problem.NoFile},
		{"a file name that is empty", formType, strings.Replace(fileHead, "clip.mp4", "", 1) + "x" + end, problem.NoFile},
		{"two files", formType, fileHead + "x\r\n" + fileHead + "y" + end, problem.MultipleFiles},
		{"an empty file", formType, fileHead + end, problem.FileEmpty},
		{"a file beyond the limit", formType, fileHead + "12345678901" + end, problem.FileTooLarge},
		{"a long field", formType, field("link", strings.Repeat("x", 4097)) + fileHead + "x" + end, problem.Attribute("link", "")},
		{"many fields", formType, strings.Repeat(field("link", "x"), 17) + fileHead + "x" + end, payload},
		{"long headers", formType, "--b\r\n" + strings.Repeat("X-Header: "+strings.Repeat("x", 1000)+"\r\n", 20) + "\r\nx" + end, payload},
		{"a long header", formType, "--b\r\nX-Header: " + strings.Repeat("x", 20000), payload},
		{"a long preamble", formType, strings.Repeat("x\r\n", 5000) + fileHead + "x" + end, payload},
		{"a part without disposition", formType, "--b\r\n\r\nx" + end, payload},
		{"a part of something else", formType, strings.Replace(fileHead, "form-data", "attachment", 1) + "x" + end, payload},
		{"text between parts", formType, fileHead + "x\r\n--b \r\nwhat\r\n", payload},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g := read(post(test.contentType, test.body), form.Options{Limit: 10})
			e, ok := errors.AsType[*problem.Error](g.err)
			if !ok || !errors.Is(e, test.want) || e.Detail == "" || e.Status != 400 {
				t.Errorf("got %+v, want a 400 with detail of kind %s", g.err, test.want.Kind)
			}
		})
	}
}

func TestFilesAtTheLimits(t *testing.T) {
	t.Parallel()
	for _, o := range []form.Options{{Limit: 10}, {Limit: 10, Empty: true}} {
		if g := read(post(formType, fileHead+"1234567890"+end), o); g.err != nil || g.content != "1234567890" {
			t.Errorf("%+v: got %+v, want a file of the limit", o, g)
		}
	}
	if g := read(post(formType, fileHead+end), form.Options{Limit: 10, Empty: true}); g.err != nil || g.files != 1 || g.content != "" {
		t.Errorf("got %+v, want an empty file where it is allowed", g)
	}
	long := strings.Repeat("x", 4096)
	if g := read(post(formType, strings.Repeat(field("link", long), 16)+fileHead+"x"+end), form.Options{Limit: 10}); g.err != nil || g.fields["link"] != long {
		t.Errorf("got %v, want 16 long fields", g.err)
	}
}

// Wherever a request stops, it is not taken for a whole one, even by a function
// that does not look at the errors of the file.
func TestARequestThatBreaksOff(t *testing.T) {
	t.Parallel()
	file := field("link", "x") + fileHead + "content\r\n--b"
	body := file + "\r\nContent-Disposition: form-data; name=\"videoId\"\r\n\r\nvi1\r\n--b--"
	for cut := range len(body) {
		_, err := form.Read(post(formType, body[:cut]), form.Options{Limit: 100, Empty: true}, func(f form.File) error {
			if _, err := io.Copy(io.Discard, f.Body); err == nil && cut < len(file) {
				t.Errorf("cut at %d: got the end of the file, want an error", cut)
			}
			return nil
		})
		if e, ok := errors.AsType[*problem.Error](err); !ok || e.Status != 400 {
			t.Errorf("cut at %d: got %v, want a 400", cut, err)
		}
	}
}

func TestAConnectionThatBreaksOff(t *testing.T) {
	t.Parallel()
	for _, length := range []string{"Content-Length: 9999\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nfff\r\n"} {
		results := make(chan got, 1)
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			results <- read(r, form.Options{Limit: 1 << 20})
		}))
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: %s\r\n%s%scontent", formType, length, fileHead)
		_ = conn.Close()
		if g := <-results; !errors.Is(g.err, problem.InvalidPayload) || !errors.Is(g.err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: got %+v, want a 400 that leads to the cause", length, g)
		}
		server.Close()
	}
}

func TestAFileOfUnknownLengthOverHTTP(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789\r\n--b"), 100_000)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		g := read(r, form.Options{Limit: int64(len(content))})
		if g.err != nil || g.content != string(content) || r.ContentLength != -1 {
			t.Errorf("got %d bytes (%v) of a request of %d, want %d of an unknown length", len(g.content), g.err, r.ContentLength, len(content))
		}
	}))
	defer server.Close()
	body := io.MultiReader(strings.NewReader(strings.ReplaceAll(fileHead, "--b", "--other")), bytes.NewReader(content), strings.NewReader("\r\n--other--\r\n"))
	answer, err := server.Client().Post(server.URL, "multipart/form-data; boundary=other", body)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
}

func TestAFailureOfTheFunctionComesBack(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	_, err := form.Read(post(formType, fileHead+"x"+end), form.Options{Limit: 10}, func(form.File) error { return full })
	if err != full {
		t.Errorf("got %v, want %v", err, full)
	}
}

func TestAFunctionThatHidesTheFaultOfTheClient(t *testing.T) {
	t.Parallel()
	_, err := form.Read(post(formType, fileHead+"1234"+end), form.Options{Limit: 3}, func(f form.File) error {
		_, _ = io.Copy(io.Discard, f.Body)
		return errors.New("cannot store")
	})
	if !errors.Is(err, problem.FileTooLarge) {
		t.Errorf("got %v, want the limit to be told", err)
	}
}

func TestAFunctionThatReadsNothing(t *testing.T) {
	t.Parallel()
	ignore := func(form.File) error { return nil }
	fields, err := form.Read(post(formType, fileHead+"123\r\n"+field("a", "b")+"--b--"), form.Options{Limit: 3}, ignore)
	if err != nil || fields["a"] != "b" {
		t.Errorf("got %v (%v), want the field behind the file", fields, err)
	}
	if _, err := form.Read(post(formType, fileHead+"1234"+end), form.Options{Limit: 3}, ignore); !errors.Is(err, problem.FileTooLarge) {
		t.Errorf("got %v, want the limit to hold all the same", err)
	}
}

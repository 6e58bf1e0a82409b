package egress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/fault"
)

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"http://example.com": true, "https://example.com/a.mp4?b=c#d": true, "HTTPS://user:pass@example.com:8443/": true, "http://[::1]:80/": true,
		"https://bücher.example/ä": true, "http://127.0.0.1/": true,
		"": false, "example.com/a.mp4": false, "//example.com/a": false, "/a": false, "file:///etc/passwd": false, "ftp://example.com/": false,
		"gopher://example.com": false, "http:example.com": false, "http://": false, "http://:80/": false, "http:///a": false, "https://example.com:0/": false,
		"https://example.com:99999/": false, "https://example.com:/": false, "https://exa mple.com/": false, "https://example.com/\n": false,
		"http://[fe80::1%25eth0]/": false, "http://a%41/": false, "http://[::1/": false, "javascript:alert(1)": false, "vi4k0jvEUuaTdRAEjQ4Jfrgz": false,
		"https://example.com/" + strings.Repeat("a", 8192): false,
	} {
		err := CheckURL(address)
		if (err == nil) != want || err != nil && !errors.Is(err, fault.Invalid) {
			t.Errorf("%.60q: got %v, want valid = %v", address, err, want)
		}
	}
}

// open is where tests may fetch from.
func open() *Dialer { return New(networks("127.0.0.2/32")) }

func TestRedirects(t *testing.T) {
	t.Parallel()
	hit := false
	inside := listen(t, "127.0.0.1", func(http.ResponseWriter, *http.Request) { hit = true })
	s := listen(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, r.Header.Get("Authorization")+r.Header.Get("Referer"))
	})
	chain := func(n int) string { // that ends at the file after n redirects
		address := "/"
		for range n {
			address = "/?to=" + url.QueryEscape(address)
		}
		return s.URL + address
	}
	for _, test := range []struct {
		name, address string
		want          error
	}{
		{"five", chain(5), nil},
		{"six", chain(6), errRedirects},
		{"into this machine", s.URL + "/?to=" + url.QueryEscape(inside.URL), ErrRefused},
		{"into this machine at the second", s.URL + "/?to=" + url.QueryEscape(s.URL+"/?to="+url.QueryEscape("http://localhost:"+port(inside))), ErrRefused},
		{"to a file", s.URL + "/?to=" + url.QueryEscape("file:///etc/passwd"), errScheme},
		{"to nowhere", s.URL + "/?to=" + url.QueryEscape("http://:80/"), errForm},
	} {
		f, err := open().Fetch(t.Context(), test.address, 1000)
		if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
			t.Errorf("%s: got %v, want %v", test.name, err, test.want)
		}
		if err == nil {
			_ = f.Close()
		}
	}
	if hit {
		t.Error("got a request on this machine, want none")
	}

	secret := strings.Replace(chain(1), "http://", "http://user:secret@", 1)
	f, err := open().Fetch(t.Context(), secret, 1000)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if got, err := io.ReadAll(f); err != nil || len(got) > 0 {
		t.Errorf("got %q (%v) after a redirect, want no credentials and no referrer", got, err)
	}
}

func TestAClientWithoutRedirects(t *testing.T) {
	t.Parallel()
	s := listen(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.1/", http.StatusFound)
	})
	client := open().Client(ClientOptions{Timeout: time.Minute})
	answer, err := client.Post(s.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusFound {
		t.Errorf("got status %d, want the redirect itself", answer.StatusCode)
	}
	if _, err := client.Get("http://127.0.0.1:1/"); !errors.Is(err, ErrRefused) {
		t.Errorf("got %v, want it refused", err)
	}
	if client.Transport.(*http.Transport).Proxy != nil {
		t.Error("got a proxy, want none")
	}
}

func TestFetch(t *testing.T) {
	t.Parallel()
	s := listen(t, "127.0.0.2", serveFile)
	for _, test := range []struct {
		path     string
		wantSize int   // of what comes without an error
		want     error // of Fetch, or of reading
	}{
		{"/known/10", 10, nil},
		{"/unknown/10", 10, nil},
		{"/known/0", 0, nil},
		{"/known/11", 0, errTooLarge},
		{"/unknown/11", 0, errTooLarge},
		{"/broken/9", 0, fault.Unavailable},
		{"/status/204", 0, fault.Invalid},
		{"/status/404", 0, fault.Invalid},
		{"/status/304", 0, fault.Invalid},
		{"/status/429", 0, fault.Unavailable},
		{"/status/503", 0, fault.Unavailable},
		{"/compressed/1", 0, fault.Invalid},
		{"/headers/1", 0, fault.Unavailable},
	} {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			f, err := open().Fetch(t.Context(), s.URL+test.path, 10)
			var content []byte
			if err == nil {
				content, err = io.ReadAll(f)
				_ = f.Close()
			}
			if err == nil && len(content) != test.wantSize {
				t.Errorf("got %d bytes, want %d", len(content), test.wantSize)
			}
			if !errors.Is(err, test.want) || (err == nil) != (test.want == nil) {
				t.Errorf("got %v, want %v", err, test.want)
			}
			if strings.Trim(string(content), "x") != "" || len(content) > 10 {
				t.Errorf("got %q, want at most ten x", content)
			}
		})
	}
}

// What goes to the log has no address in it, of which parts may be secret.
func TestFailuresDoNotTellTheAddress(t *testing.T) {
	t.Parallel()
	s := listen(t, "127.0.0.2", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	address := strings.Replace(s.URL, "http://", "http://ann:hidden@", 1) + "/hidden?key=hidden"
	if _, err := open().Fetch(t.Context(), address, 10); !errors.Is(err, fault.Unavailable) || strings.Contains(err.Error(), "hidden") {
		t.Errorf("got %v, want it unavailable and nothing of the address", err)
	}
}

// serveFile answers to /how/number.
func serveFile(w http.ResponseWriter, r *http.Request) {
	var n int
	how, number, _ := strings.Cut(r.URL.Path[1:], "/")
	_, _ = fmt.Sscan(number, &n)
	w.Header().Set("Content-Type", "video/mp4")
	switch how {
	case "unknown":
		w.(http.Flusher).Flush()
	case "known":
		w.Header().Set("Content-Length", number)
	case "broken":
		w.Header().Set("Content-Length", fmt.Sprint(n+1))
	case "status":
		w.WriteHeader(n)
		return
	case "compressed":
		w.Header().Set("Content-Encoding", "gzip")
	case "headers":
		w.Header().Set("X-Long", strings.Repeat("x", 2*maxHeaders))
	}
	_, _ = io.WriteString(w, strings.Repeat("x", n))
}

func TestADownloadThatStands(t *testing.T) {
	t.Parallel()
	s := listen(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "x")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	f, err := open().fetch(t.Context(), s.URL, 10, 10*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if got, err := io.ReadAll(f); !errors.Is(err, errStalled) {
		t.Errorf("got %q (%v), want the end of the download", got, err)
	}
}

// trickle never ends: it has some bytes after each pause.
type trickle struct {
	pause time.Duration
	bytes int
}

func (f trickle) Read(p []byte) (int, error) {
	time.Sleep(f.pause)
	return min(f.bytes, len(p)), nil
}

func (trickle) Close() error { return nil }

func TestADownloadThatIsTooSlow(t *testing.T) {
	t.Parallel()
	const minute = 16 << 10 * 60 // bytes, at the slowest
	for _, test := range []struct {
		name      string
		body      trickle
		readPause time.Duration // between two reads
		want      error
	}{
		{"a byte every half minute", trickle{30 * time.Second, 1}, 0, errTooSlow},
		{"a little too slow", trickle{20 * time.Second, minute/3 - 1}, 0, errTooSlow},
		{"just quick enough", trickle{20 * time.Second, minute / 3}, 0, errTooLarge},
		{"whose reader is slow", trickle{time.Second, minute / 60}, time.Hour, errTooLarge},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				const limit = 10 * minute
				ctx, cancel := context.WithCancel(t.Context())
				f := newDownload(&http.Response{Body: test.body}, limit, stall, cancel)
				defer func() { _ = f.Close() }()
				began, got, err, block := time.Now(), 0, error(nil), make([]byte, minute)
				for err == nil && time.Since(began) < 1000*time.Hour {
					var n int
					n, err = f.Read(block)
					got += n
					time.Sleep(test.readPause)
				}
				if err != test.want || ctx.Err() != nil {
					t.Errorf("got %v after %d bytes in %v, want %v", err, got, time.Since(began), test.want)
				}
				if err == errTooSlow && time.Since(began) > 2*time.Minute {
					t.Errorf("got it noticed after %v, want that soon", time.Since(began))
				}
			})
		})
	}
}

func TestADownloadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := listen(t, "127.0.0.2", func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	f, err := open().Fetch(ctx, s.URL, 10)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	cancel()
	if _, err := io.ReadAll(f); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it to lead to the end of the context", err)
	}
}

package s3_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/blobtest"
	"stoa/internal/blob/s3"
	"stoa/internal/blob/s3/s3test"
	"stoa/internal/fault"
)

func TestServerThatDies(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := openStore(t, server.URL(""))
	if _, err := s.Put(t.Context(), "kept", strings.NewReader("old"), ""); err != nil {
		t.Fatal(err)
	}
	large := strings.Repeat("film", 8<<20)
	if _, err := s.Put(t.Context(), "large", strings.NewReader(large), ""); err != nil {
		t.Fatal(err)
	}
	object, err := s.Open(t.Context(), "large")
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	for _, size := range []int{10, part + 1} { // in one request, and between two parts
		body := then(bytes.NewReader(make([]byte, size)), func() io.Reader {
			server.Kill()
			return strings.NewReader("rest")
		})
		if _, err := s.Put(t.Context(), "kept", body, ""); !errors.Is(err, fault.Unavailable) {
			t.Errorf("Put of %d: got %v want %v", size, err, fault.Unavailable)
		}
		wantUnavailable(t, s)
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
		wantKept(t, s)
	}
	if n, err := io.Copy(io.Discard, object); !errors.Is(err, fault.Unavailable) {
		t.Errorf("reading on: got %d of %d bytes, %v want %v", n, len(large), err, fault.Unavailable)
	}
	t.Run("ComesBack", func(t *testing.T) {
		blobtest.Run(t, func(*testing.T) blob.Store { return s })
	})
}

func wantUnavailable(t *testing.T, s *s3.Store) {
	t.Helper()
	var wg sync.WaitGroup
	for what, do := range map[string]func() error{
		"Open":   func() error { _, err := s.Open(t.Context(), "kept"); return err },
		"Delete": func() error { return s.Delete(t.Context(), "kept") },
		"Check":  func() error { return s.Check(t.Context()) },
		"List": func() (last error) {
			for _, err := range s.List(t.Context(), "") {
				last = err
			}
			return last
		},
	} {
		wg.Go(func() {
			err := do()
			known, _ := errors.AsType[*fault.Error](err)
			if !errors.Is(err, blob.ErrUnavailable) || known == nil || strings.Contains(known.Message, "127.0.0.1") {
				t.Errorf("%s: got %v want %v", what, err, blob.ErrUnavailable)
			}
		})
	}
	wg.Wait()
}

func wantKept(t *testing.T, s *s3.Store) {
	t.Helper()
	object, err := s.Open(t.Context(), "kept")
	if err != nil {
		t.Fatal(err)
	}
	defer object.Close()
	if got, err := io.ReadAll(object); err != nil || string(got) != "old" {
		t.Errorf("got %.10q, %v want the old object", got, err)
	}
}

func TestCallerLeavesAServerThatStalls(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := openStore(t, server.URL(""))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resumed := make(chan error, 1)
	context.AfterFunc(ctx, func() { resumed <- server.Resume() }) // for the farewell
	body := then(bytes.NewReader(make([]byte, part+1)), func() io.Reader {
		if err := server.Pause(); err != nil {
			t.Error(err)
		}
		go cancel() // while the next part waits for its answer, or before it is sent
		return bytes.NewReader(make([]byte, 2*part))
	})
	if _, err := s.Put(ctx, "film", body, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v want %v", err, context.Canceled)
	}
	if err := <-resumed; err != nil {
		t.Fatal(err)
	}
	if left := uploads(t, client(t, server)); len(left) != 0 {
		t.Errorf("got %+v left want no upload", left)
	}
}

func TestCheckSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	config, err := s3.Parse(server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ bucket, secret, want string }{
		{s3test.Bucket, s3test.SecretKey, ""},
		{"no-such-bucket", s3test.SecretKey, `bucket "no-such-bucket" does not exist at 127.0.0.1`},
		{s3test.Bucket, "wrong", "closed to this access key"},
	} {
		c := config
		c.Bucket, c.AccessKey, c.SecretKey = test.bucket, s3test.AccessKey, test.secret
		s, err := s3.New(c)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		got := ""
		if err := s.Check(t.Context()); err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) || test.want == "" && got != "" {
			t.Errorf("got %q want %q", got, test.want)
		}
	}
}

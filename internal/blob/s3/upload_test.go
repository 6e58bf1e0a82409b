package s3_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"stoa/internal/blob"
	"stoa/internal/blob/s3/s3test"
)

const part = 8 << 20

// client asks the server behind the store's back.
func client(t *testing.T, server *s3test.Server) *minio.Core {
	t.Helper()
	address, err := url.Parse(server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	core, err := minio.NewCore(strings.TrimPrefix(address.Query().Get("endpoint"), "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(s3test.AccessKey, s3test.SecretKey, ""), Region: s3test.Region,
	})
	if err != nil {
		t.Fatal(err)
	}
	return core
}

func uploads(t *testing.T, core *minio.Core) []minio.ObjectMultipartInfo {
	t.Helper()
	list, err := core.ListMultipartUploads(t.Context(), s3test.Bucket, "", "", "", "", 100)
	if err != nil {
		t.Fatal(err)
	}
	return list.Uploads
}

// then reads r to its end, calls do once, and goes on with what it returns.
func then(r io.Reader, do func() io.Reader) io.Reader {
	return io.MultiReader(r, &late{do: do})
}

type late struct {
	do func() io.Reader
	r  io.Reader
}

func (l *late) Read(p []byte) (int, error) {
	if l.r == nil {
		l.r = l.do()
	}
	return l.r.Read(p)
}

// A second reading begins only when the part read before has arrived: so no
// more than one part is held.
func TestPartsAreSentWhileReading(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	core := client(t, server)
	s := openStore(t, server.URL("p"))
	arrived := 0
	body := then(bytes.NewReader(make([]byte, 2*part)), func() io.Reader {
		under := uploads(t, core)
		if len(under) != 1 {
			t.Errorf("got %d uploads under way want 1", len(under))
			return strings.NewReader("")
		}
		sent, err := core.ListObjectParts(t.Context(), s3test.Bucket, under[0].Key, under[0].UploadID, 0, 100)
		if err != nil {
			t.Error(err)
		}
		arrived = len(sent.ObjectParts)
		return strings.NewReader("rest")
	})
	info, err := s.Put(t.Context(), "film", body, "video/mp4")
	if err != nil || info.Size != 2*part+4 {
		t.Fatalf("got %+v, %v want %d bytes", info, err, 2*part+4)
	}
	if arrived != 2 {
		t.Errorf("got %d parts sent before the third was read want 2", arrived)
	}
}

func TestPutOfExactlyOnePart(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	s := openStore(t, server.URL(""))
	for _, size := range []int{part - 1, part, part + 1, 2 * part} {
		data := bytes.Repeat([]byte{'x'}, size)
		if info, err := s.Put(t.Context(), "a", bytes.NewReader(data), ""); err != nil || info.Size != int64(size) {
			t.Fatalf("got %+v, %v want %d bytes", info, err, size)
		}
		object, err := s.Open(t.Context(), "a")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(object)
		object.Close()
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("got %d bytes, %v want %d", len(got), err, size)
		}
	}
}

func TestBrokenOffPutAbortsItsUpload(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	core := client(t, server)
	s := openStore(t, server.URL(""))
	ctx, cancel := context.WithCancel(t.Context())
	underWay := 0
	body := then(bytes.NewReader(make([]byte, part+1)), func() io.Reader {
		underWay = len(uploads(t, core))
		cancel()
		return bytes.NewReader(make([]byte, part))
	})
	if _, err := s.Put(ctx, "film", body, ""); !errors.Is(err, context.Canceled) || underWay != 1 {
		t.Errorf("got %v with %d uploads under way want %v with 1", err, underWay, context.Canceled)
	}
	if left := uploads(t, core); len(left) != 0 {
		t.Errorf("got %+v left want no upload", left)
	}
	if _, err := s.Open(t.Context(), "film"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %v want %v", err, blob.ErrNotFound)
	}
}

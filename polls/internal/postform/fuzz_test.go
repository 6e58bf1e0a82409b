package postform_test

import (
	"bytes"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"stoa/polls/internal/postform"
)

// FuzzReceive sends a form whose policy is signed, whatever it says, so that
// what reads policies is reached.
func FuzzReceive(f *testing.F) {
	f.Add(`[{"key":"a/b"},{"bucket":"uploads"}]`, "key", "a/b", []byte("photo"))
	f.Add(`[["starts-with","$key","a"],["eq","$bucket","uploads"],["content-length-range",1,5]]`, "KEY", "a/b", []byte("photo"))
	f.Add(`[["eq","$key"],null,{}]`, "acl", "", []byte{})
	f.Fuzz(func(t *testing.T, conditions, name, value string, file []byte) {
		s := store{}
		_, err := bucket.Receive(signed(conditions, "key", "a/b", name, value).upload(bytes.NewReader(file)), s.put)
		expectAnswer(t, s, err)
	})
}

// FuzzReceiveBody sends any bytes as a form.
func FuzzReceiveBody(f *testing.F) {
	f.Add("--x\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\na\r\n--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nphoto\r\n--x--\r\n")
	f.Add("--x--")
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest("POST", "/storage/uploads", strings.NewReader(body))
		r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		s := store{}
		_, err := bucket.Receive(r, s.put)
		if err == nil {
			t.Error("a form that nobody signed was taken")
		}
		expectAnswer(t, s, err)
	})
}

// expectAnswer wants a stored file or a refusal, never both.
func expectAnswer(t *testing.T, s store, err error) {
	t.Helper()
	if err == nil && len(s) == 1 {
		return
	}
	if _, ok := errors.AsType[*postform.Error](err); !ok || len(s) != 0 {
		t.Errorf("got %v with %d files stored want one file or a refusal", err, len(s))
	}
}

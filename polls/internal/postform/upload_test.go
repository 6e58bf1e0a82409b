package postform_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"stoa/polls/internal/postform"
)

var bucket = &postform.Bucket{Name: "uploads", AccessKeyID: "STAGING", Secret: []byte("a secret of staging")}

// fields is a form in the order it is sent: names and values in turn.
type fields []string

// handedOut is a form for the key a/b, good for an hour.
func handedOut(b *postform.Bucket) fields {
	f := b.Form("a/b", "image/jpeg", time.Now().Add(time.Hour))
	return fields{
		"AWSAccessKeyId", f.AccessKeyID, "policy", f.Policy, "signature", f.Signature,
		"key", f.Key, "acl", f.ACL, "Content-Type", f.ContentType,
	}
}

// signed is a form with conditions of the test's own, and nothing else.
func signed(conditions string, more ...string) fields {
	policy := base64.StdEncoding.EncodeToString([]byte(`{"expiration":"2999-01-01T00:00:00.000Z","conditions":` + conditions + `}`))
	mac := hmac.New(sha1.New, bucket.Secret)
	mac.Write([]byte(policy))
	return append(fields{
		"AWSAccessKeyId", bucket.AccessKeyID, "policy", policy,
		"signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)),
	}, more...)
}

// with returns the form with one value changed.
func (f fields) with(name, value string) fields {
	f = append(fields(nil), f...)
	for i := 0; i < len(f); i += 2 {
		if f[i] == name {
			f[i+1] = value
		}
	}
	return f
}

// without returns the form with one field left out.
func (f fields) without(name string) fields {
	var kept fields
	for i := 0; i < len(f); i += 2 {
		if f[i] != name {
			kept = append(kept, f[i], f[i+1])
		}
	}
	return kept
}

// upload is a request with the fields, then the file, then more fields.
func (f fields) upload(file io.Reader, after ...string) *http.Request {
	var head, tail bytes.Buffer
	w := multipart.NewWriter(&head)
	for i := 0; i < len(f); i += 2 {
		w.WriteField(f[i], f[i+1])
	}
	w.CreateFormFile("file", "photo.jpg")
	end := multipart.NewWriter(&tail)
	end.SetBoundary(w.Boundary())
	if len(after) > 0 {
		tail.WriteString("\r\n") // a first part begins without
	}
	for i := 0; i < len(after); i += 2 {
		end.WriteField(after[i], after[i+1])
	}
	end.Close()
	r := httptest.NewRequest("POST", "/storage/uploads", io.MultiReader(&head, file, &tail))
	r.Header.Set("Content-Type", w.FormDataContentType())
	return r
}

// store keeps what was put whole, by key.
type store map[string]string

func (s store) put(_ context.Context, key, contentType string, body io.Reader) (string, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return "", fmt.Errorf("copy: %w", err)
	}
	s[key] = contentType + " " + string(data)
	return fmt.Sprintf(`"%x"`, len(data)), nil
}

// refused checks that a request is refused with a code, and nothing stored.
func refused(t *testing.T, r *http.Request, want postform.Code) {
	t.Helper()
	s := store{}
	_, err := bucket.Receive(r, s.put)
	got, ok := errors.AsType[*postform.Error](err)
	if !ok || got.Code != want {
		t.Errorf("got %v want %s", err, want)
	}
	if len(s) != 0 {
		t.Errorf("got %d files stored want 0", len(s))
	}
}

func accepted(t *testing.T, r *http.Request, want store) {
	t.Helper()
	s := store{}
	got, err := bucket.Receive(r, s.put)
	if err != nil {
		t.Errorf("got %v want no error", err)
	}
	for key, content := range want {
		if got.Key != key || got.ETag == "" || s[key] != content {
			t.Errorf("got %+v, %.50q want %s, %.50q", got, s[key], key, content)
		}
	}
}

package postform_test

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/internal/fault"
	"stoa/polls/internal/postform"
)

func TestFormIsTakenAsHandedOut(t *testing.T) {
	t.Parallel()
	form := handedOut(bucket)
	stored := store{"a/b": "image/jpeg photo"}
	accepted(t, form.upload(strings.NewReader("photo")), stored)
	accepted(t, form.upload(strings.NewReader("photo"), "key", "other", "unknown", "x"), stored) // behind the file
	accepted(t, append(form, "X-Ignore-Me", "x").upload(strings.NewReader("photo")), stored)

	shouted := append(fields(nil), form...)
	for i := 0; i < len(shouted); i += 2 {
		shouted[i] = strings.ToUpper(shouted[i])
	}
	accepted(t, shouted.upload(strings.NewReader("photo")), stored)

	neutral := append(fields(nil), form...)
	neutral[0] = "StorageAccessKeyId"
	accepted(t, neutral.upload(strings.NewReader("photo")), stored)
}

func TestChangedFormIsRefused(t *testing.T) {
	t.Parallel()
	form := handedOut(bucket)
	other := &postform.Bucket{Name: "uploads", AccessKeyID: "PRODUCTION", Secret: []byte("a secret of production")}
	sameID := &postform.Bucket{Name: "uploads", AccessKeyID: bucket.AccessKeyID, Secret: other.Secret}
	elsewhere := &postform.Bucket{Name: "other", AccessKeyID: bucket.AccessKeyID, Secret: bucket.Secret}
	tests := []struct {
		name string
		form fields
		want postform.Code
	}{
		{"nothing", nil, postform.AccessDenied},
		{"no policy", form.without("policy"), postform.AccessDenied},
		{"no signature", form.without("signature"), postform.InvalidArgument},
		{"no access key id", form.without("AWSAccessKeyId"), postform.InvalidArgument},
		{"no key", form.without("key"), postform.InvalidArgument},
		{"no acl", form.without("acl"), postform.AccessDenied},
		{"no content type", form.without("Content-Type"), postform.AccessDenied},
		{"other access key id", form.with("AWSAccessKeyId", "PRODUCTION"), postform.InvalidAccessKeyID},
		{"no access key id in the field", form.with("AWSAccessKeyId", ""), postform.InvalidAccessKeyID},
		{"other signature", form.with("signature", goldenSignature), postform.SignatureDoesNotMatch},
		{"empty signature", form.with("signature", ""), postform.SignatureDoesNotMatch},
		{"other policy", form.with("policy", goldenPolicy), postform.SignatureDoesNotMatch},
		{"expired", form.with("policy", goldenPolicy).with("signature", goldenSignature), postform.AccessDenied},
		{"other key", form.with("key", "a/c"), postform.AccessDenied},
		{"other acl", form.with("acl", "public-read"), postform.AccessDenied},
		{"other content type", form.with("Content-Type", "text/html"), postform.AccessDenied},
		{"field without condition", append(form, "success_action_status", "201"), postform.AccessDenied},
		{"field twice", append(form, "KEY", "a/b"), postform.InvalidArgument},
		{"access key id under both names", append(form, "StorageAccessKeyId", bucket.AccessKeyID), postform.InvalidArgument},
		{"field without a name", append(form, "", "x"), postform.InvalidArgument},
		{"of another environment", handedOut(other), postform.InvalidAccessKeyID},
		{"of another environment with this access key id", handedOut(sameID), postform.SignatureDoesNotMatch},
		{"of another bucket", handedOut(elsewhere), postform.AccessDenied},
		{"of another bucket that is named", append(handedOut(elsewhere), "bucket", "other"), postform.AccessDenied},
		{"long field", append(form, "x-ignore-me", strings.Repeat("x", 40<<10)), postform.MalformedPOSTRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			refused(t, tt.form.upload(strings.NewReader("photo")), tt.want)
		})
	}
}

func TestFormExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		form := handedOut(bucket)
		time.Sleep(time.Hour - time.Second)
		accepted(t, form.upload(strings.NewReader("photo")), store{"a/b": "image/jpeg photo"})
		time.Sleep(time.Second)
		refused(t, form.upload(strings.NewReader("photo")), postform.AccessDenied)
	})
}

func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	const kind = "multipart/form-data; boundary=x"
	tests := []struct {
		name, kind, body string
		want             postform.Code
	}{
		{"no content type", "", "", postform.MalformedPOSTRequest},
		{"other content type", "application/x-www-form-urlencoded", "key=a", postform.MalformedPOSTRequest},
		{"mixed parts", "multipart/mixed; boundary=x", "--x--", postform.MalformedPOSTRequest},
		{"no boundary", "multipart/form-data", "--x--", postform.MalformedPOSTRequest},
		{"long boundary", "multipart/form-data; boundary=" + strings.Repeat("x", 71), "--" + strings.Repeat("x", 71) + "--", postform.MalformedPOSTRequest},
		{"empty body", kind, "", postform.MalformedPOSTRequest},
		{"no part", kind, "--x--\r\n", postform.InvalidArgument},
		{"no file", kind, "--x\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\na\r\n--x--\r\n", postform.InvalidArgument},
		{"cut in a field", kind, "--x\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\na", postform.MalformedPOSTRequest},
		{"cut in a header", kind, "--x\r\nContent-Dispo", postform.MalformedPOSTRequest},
		{"much before the first part", kind, strings.Repeat("nothing\r\n", 10_000), postform.MalformedPOSTRequest},
		{"long header", kind, "--x\r\nA: " + strings.Repeat("a", 100_000), postform.MalformedPOSTRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("POST", "/storage/uploads", strings.NewReader(tt.body))
			r.Header.Set("Content-Type", tt.kind)
			refused(t, r, tt.want)
		})
	}
}

func TestSizeIsBounded(t *testing.T) {
	t.Parallel()
	form := handedOut(bucket)
	refused(t, form.upload(strings.NewReader("")), postform.EntityTooSmall)
	accepted(t, form.upload(strings.NewReader("x")), store{"a/b": "image/jpeg x"})
	full := strings.Repeat("x", postform.MaxSize)
	accepted(t, form.upload(strings.NewReader(full)), store{"a/b": "image/jpeg " + full})
}

// An endless file is refused at the bound, not at its end.
func TestTooLargeIsSeenWhileStreaming(t *testing.T) {
	t.Parallel()
	read := &counted{}
	refused(t, handedOut(bucket).upload(read), postform.EntityTooLarge)
	if over := read.n - postform.MaxSize; over > 64<<10 {
		t.Errorf("got %d bytes read over the bound", over)
	}
}

type counted struct{ n int }

func (c *counted) Read(p []byte) (int, error) {
	clear(p)
	c.n += len(p)
	return len(p), nil
}

func TestInterruptedFileIsNotStored(t *testing.T) {
	t.Parallel()
	lost := io.MultiReader(strings.NewReader("half a pho"), failing{io.ErrUnexpectedEOF})
	refused(t, handedOut(bucket).upload(lost), postform.MalformedPOSTRequest)
	lost = io.MultiReader(strings.NewReader("half a pho"), failing{errors.New("connection reset")})
	refused(t, handedOut(bucket).upload(lost), postform.MalformedPOSTRequest)
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

func TestStoreHasItsSay(t *testing.T) {
	t.Parallel()
	full := fault.New(fault.Unavailable, "disk full")
	answers := map[string]error{
		"trouble": full,
		"refusal": postform.Refuse(postform.AccessDenied, "the poll is ready"),
	}
	for name, answer := range answers {
		_, err := bucket.Receive(handedOut(bucket).upload(strings.NewReader("photo")),
			func(_ context.Context, _, _ string, body io.Reader) (string, error) {
				_, _ = io.Copy(io.Discard, body)
				return "", answer
			})
		if !errors.Is(err, answer) {
			t.Errorf("%s: got %v want %v", name, err, answer)
		}
	}
	_, err := bucket.Receive(handedOut(bucket).upload(strings.NewReader("")),
		func(_ context.Context, _, _ string, body io.Reader) (string, error) {
			_, _ = io.Copy(io.Discard, body)
			return "etag", nil
		})
	if got, ok := errors.AsType[*postform.Error](err); !ok || got.Code != postform.EntityTooSmall {
		t.Errorf("store that overlooks an error: got %v want %s", err, postform.EntityTooSmall)
	}
	_, err = bucket.Receive(handedOut(bucket).upload(strings.NewReader("photo")),
		func(context.Context, string, string, io.Reader) (string, error) { return "etag", nil })
	if err == nil {
		t.Error("got no error though the store read nothing")
	}
}

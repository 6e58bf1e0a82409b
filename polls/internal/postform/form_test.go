package postform_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/polls/internal/postform"
)

// Policy and signature were made by another program:
//
//	POLICY=$(printf '%s' '{"expiration":"2026-01-13T16:53:59Z","conditions":[…]}' | openssl base64 -A)
//	printf '%s' "$POLICY" | openssl dgst -sha1 -hmac 'a secret of staging' -binary | openssl base64
const (
	goldenPolicy = "eyJleHBpcmF0aW9uIjoiMjAyNi0wMS0xM1QxNjo1Mzo1OVoiLCJjb25kaXRpb25zIjpbWyJjb250ZW50LWxlbmd0aC1yYW5nZSIsMSwxMDQ4NTc2MF0s" +
		"eyJDb250ZW50LVR5cGUiOiJpbWFnZS9qcGVnIn0seyJrZXkiOiIwMDAvMDAwLzgxNS84MTUtMS1vcmlnaW5hbC02YzQyZGE1MGU4NWFiNDFjLmpwZWcifSx7" +
		"ImJ1Y2tldCI6InVwbG9hZHMifSx7ImFjbCI6InByaXZhdGUifV19"
	goldenSignature = "CV3KzuSJG8GGynhy8jhlQXln8tY="
)

func TestFormIsSignedAsAmazonDoes(t *testing.T) {
	t.Parallel()
	b := &postform.Bucket{Name: "uploads", AccessKeyID: "STAGING", Secret: []byte("a secret of staging")}
	expires := time.Date(2026, 1, 13, 17, 53, 59, 123, time.FixedZone("", 3600))
	key := "000/000/815/815-1-original-6c42da50e85ab41c.jpeg"
	text, err := json.Marshal(b.Form(key, "image/jpeg", expires))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"AWSAccessKeyId": "STAGING",
		"policy":         goldenPolicy,
		"signature":      goldenSignature,
		"key":            key,
		"acl":            "private",
		"Content-Type":   "image/jpeg",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("form (-want +got):\n%s", d)
	}
}

func TestObjectKey(t *testing.T) {
	t.Parallel()
	random := [8]byte{0x6c, 0x42, 0xda, 0x50, 0xe8, 0x5a, 0xb4, 0x1c}
	tests := []struct {
		poll      int64
		typ, want string
	}{
		{815, "image/jpeg", "000/000/815/815-1-original-6c42da50e85ab41c.jpeg"},
		{1234567, "image/png", "001/234/567/1234567-1-original-6c42da50e85ab41c.png"},
		{999999999, "image/gif", "999/999/999/999999999-1-original-6c42da50e85ab41c.gif"},
		{1<<53 - 1, "image/webp", "009/007/199/254/740/991/9007199254740991-1-original-6c42da50e85ab41c.webp"},
	}
	for _, tt := range tests {
		if got := postform.ObjectKey(tt.poll, 1, random, tt.typ); got != tt.want {
			t.Errorf("got %s want %s", got, tt.want)
		}
	}
}

func TestAcceptsPicturesOnly(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"image/jpeg", "image/png", "image/gif", "image/webp"} {
		if !postform.Accepts(typ) {
			t.Errorf("%s: got refused want accepted", typ)
		}
	}
	for _, typ := range []string{"", "image/svg+xml", "text/html", strings.ToUpper("image/jpeg")} {
		if postform.Accepts(typ) {
			t.Errorf("%s: got accepted want refused", typ)
		}
	}
}

// Package postform lets browsers upload a file by a signed HTML form, as
// Amazon S3 does: POST policies with signature version 2.
//
// A [Bucket] signs forms and takes what is sent with them. What a form allows
// is in its policy, which the client sends back unchanged, so nothing is
// remembered between the two. Access key id and secret belong to one
// environment: forms of another are refused.
//
// Fields come before the file and are all checked before its first byte is
// passed on. The file is streamed, and its reader fails as soon as the file is
// longer than allowed, or ends before it is long enough: whoever stores it
// sees an error and keeps nothing.
package postform

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
	"time"
)

// Sizes of files that are taken, in bytes.
const (
	MinSize = 1
	MaxSize = 10 << 20
)

// Bucket is where forms lead to. Its secret must be random and kept: forms that
// were handed out are taken as long as it stays the same.
type Bucket struct {
	Name        string
	AccessKeyID string
	Secret      []byte
}

// Form is what a client sends, unchanged, before the file. The names are those
// of S3, which refuses a form with any other.
type Form struct {
	AccessKeyID string `json:"AWSAccessKeyId"`
	Policy      string `json:"policy"`
	Signature   string `json:"signature"`
	Key         string `json:"key"`
	ACL         string `json:"acl"`
	ContentType string `json:"Content-Type"`
}

const private = "private"

// Form allows one key to be written, as often as wanted, until it expires. The
// content type is what the client says; it promises nothing of the content.
func (b *Bucket) Form(key, contentType string, expires time.Time) Form {
	p := policy{
		Expiration: expires.UTC().Format(time.RFC3339),
		Conditions: []any{
			[]any{"content-length-range", MinSize, MaxSize},
			map[string]string{"Content-Type": contentType},
			map[string]string{"key": key},
			map[string]string{"bucket": b.Name},
			map[string]string{"acl": private},
		},
	}
	text, _ := json.Marshal(p) // strings and numbers only
	encoded := base64.StdEncoding.EncodeToString(text)
	return Form{
		AccessKeyID: b.AccessKeyID,
		Policy:      encoded,
		Signature:   b.sign(encoded),
		Key:         key,
		ACL:         private,
		ContentType: contentType,
	}
}

type policy struct {
	Expiration string `json:"expiration"`
	Conditions []any  `json:"conditions"`
}

// sign signs a policy as it is sent, that is, encoded.
func (b *Bucket) sign(policy string) string {
	mac := hmac.New(sha1.New, b.Secret)
	mac.Write([]byte(policy))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

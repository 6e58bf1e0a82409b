package postform

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"time"
)

// maxFields bounds the bytes of a form before its file, and so the number of
// its fields. What the reader of the form looks ahead comes on top.
const maxFields = 20<<10 + lookAhead

const (
	lookAhead   = 8 << 10
	maxBoundary = 70 // of RFC 2046
)

// Names of fields, in lower case. Some clients know the access key id by a
// neutral name.
const (
	accessKeyID      = "awsaccesskeyid"
	accessKeyIDAlias = "storageaccesskeyid"
)

// Put stores a file and returns its entity tag. When body fails, nothing may
// stay behind. A *[Error] of its own goes to the client.
type Put func(ctx context.Context, key, contentType string, body io.Reader) (etag string, err error)

// Stored is what was uploaded.
type Stored struct{ Key, ETag string }

// Receive takes one form. Refusals are *[Error]; any other error is that of
// put. Fields behind the file are not read.
func (b *Bucket) Receive(r *http.Request, put Put) (Stored, error) {
	body := &bounded{r: r.Body, left: maxFields}
	fields, file, err := readFields(r, body)
	if err != nil {
		return Stored{}, err
	}
	fields["bucket"] = b.Name // by the address, whatever a field says
	rules, err := b.authorize(fields)
	if err != nil {
		return Stored{}, err
	}
	body.left = rules.max + lookAhead
	content := &content{part: file, rules: rules}
	etag, err := put(r.Context(), fields["key"], fields["content-type"], content)
	switch {
	case content.err != nil && content.err != io.EOF:
		return Stored{}, content.err
	case err != nil:
		return Stored{}, fmt.Errorf("store upload: %w", err)
	case content.err == nil:
		return Stored{}, errors.New("store upload: the file was not read to its end")
	}
	return Stored{fields["key"], etag}, nil
}

// readFields reads up to the file, which is left to be read.
func readFields(r *http.Request, body io.Reader) (map[string]string, *multipart.Part, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	boundary := params["boundary"]
	if err != nil || kind != "multipart/form-data" || boundary == "" || len(boundary) > maxBoundary {
		return nil, nil, Refuse(MalformedPOSTRequest, "send the form as multipart/form-data with a boundary")
	}
	form := multipart.NewReader(body, boundary)
	fields := map[string]string{}
	for {
		part, err := form.NextRawPart()
		switch {
		case err == io.EOF:
			return nil, nil, Refuse(InvalidArgument, `send the file in a part named "file", after all other fields`)
		case err != nil:
			return nil, nil, malformed(err)
		}
		name := strings.ToLower(part.FormName())
		if name == accessKeyIDAlias {
			name = accessKeyID
		}
		if name == "file" {
			return fields, part, nil
		}
		if _, again := fields[name]; again || name == "" {
			return nil, nil, Refuse(InvalidArgument, "send each field once, and with its name")
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, nil, malformed(err)
		}
		fields[name] = string(value)
	}
}

// authorize checks everything that is known before the file.
func (b *Bucket) authorize(fields map[string]string) (*rules, error) {
	if _, ok := fields["policy"]; !ok {
		return nil, Refuse(AccessDenied, "the form is not signed: send the fields that were handed out, before the file")
	}
	for _, name := range []string{accessKeyID, "signature", "key"} {
		if _, ok := fields[name]; !ok {
			return nil, Refuse(InvalidArgument, "the field %q is missing: send all fields that were handed out, before the file", name)
		}
	}
	if fields[accessKeyID] != b.AccessKeyID {
		return nil, Refuse(InvalidAccessKeyID, "the access key id is not known here: ask for a new form")
	}
	want := b.sign(fields["policy"])
	if subtle.ConstantTimeCompare([]byte(fields["signature"]), []byte(want)) == 0 {
		return nil, Refuse(SignatureDoesNotMatch, "the signature is not that of the policy: send both as they were handed out")
	}
	rules, err := parsePolicy(fields["policy"])
	if err != nil {
		return nil, Refuse(InvalidArgument, "the policy cannot be read: %v", err)
	}
	if !time.Now().Before(rules.expires) {
		return nil, Refuse(AccessDenied, "the policy has expired: ask for a new form")
	}
	return rules, rules.check(fields)
}

func malformed(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return Refuse(MalformedPOSTRequest, "the form cannot be read, or ended too early: send it again")
}

// bounded fails when more is read than it has left, wherever in the form that
// is: before its first boundary, in a header, in a field.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, Refuse(MalformedPOSTRequest, "the fields before the file are too long")
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// content is the file. Its err is the one that ended it, io.EOF if all is well.
type content struct {
	part  io.Reader
	rules *rules
	size  int64
	err   error
}

func (c *content) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.part.Read(p)
	c.size += int64(n)
	switch {
	case c.size > c.rules.max:
		c.err = Refuse(EntityTooLarge, "the file is larger than %d bytes: send a smaller one", c.rules.max)
	case err == io.EOF && c.size < c.rules.min:
		c.err = Refuse(EntityTooSmall, "the file is smaller than %d bytes: is it the right one?", c.rules.min)
	case err == io.EOF:
		c.err = io.EOF
	case err != nil:
		c.err = malformed(err)
	}
	if c.err != nil && c.err != io.EOF {
		return 0, c.err
	}
	return n, c.err
}

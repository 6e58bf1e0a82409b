package demo

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"strconv"
	"time"
)

// caller asks an API, and again when it is told to come later.
type caller struct {
	client    *http.Client
	origin    string
	authorize func(*http.Request) // nil: nobody
}

// refusal is an answer that is no success.
type refusal struct {
	status        int
	code, message string
	after         time.Duration // when to ask again
}

func (r *refusal) Error() string { return fmt.Sprintf("status %d: %s", r.status, r.message) }

// is tells whether an error is a refusal with one of these codes.
func is(err error, codes ...string) bool {
	r, ok := errors.AsType[*refusal](err)
	for _, code := range codes {
		if ok && r.code == code {
			return true
		}
	}
	return false
}

// patience is how often a call is tried that the server has no time for: limits are by
// the minute.
const patience = 8

// call sends JSON and reads JSON; in and out may be nil.
func (c caller) call(ctx context.Context, method, path string, in, out any) error {
	var body []byte
	if in != nil {
		var err error
		if body, err = json.Marshal(in); err != nil {
			return err
		}
	}
	return c.send(ctx, method, c.origin+path, "application/json", body, out)
}

// file is what upload sends.
type file struct {
	name    string
	content []byte
}

// upload sends a form with a file as its last part.
func (c caller) upload(ctx context.Context, url string, fields [][2]string, f file, out any) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, field := range fields {
		if err := form.WriteField(field[0], field[1]); err != nil {
			return err
		}
	}
	part, err := form.CreateFormFile("file", f.name)
	if err != nil {
		return err
	}
	if _, err := part.Write(f.content); err != nil {
		return err
	}
	if err := form.Close(); err != nil {
		return err
	}
	return c.send(ctx, http.MethodPost, url, form.FormDataContentType(), body.Bytes(), out)
}

func (c caller) send(ctx context.Context, method, url, kind string, body []byte, out any) error {
	for try := 1; ; try++ {
		err := c.once(ctx, method, url, kind, body, out)
		r, refused := errors.AsType[*refusal](err)
		if !refused || r.after == 0 || try == patience {
			return err
		}
		if err := wait(ctx, r.after); err != nil {
			return err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// maxAnswer is far more than any answer of these APIs has, in bytes.
const maxAnswer = 16 << 20

func (c caller) once(ctx context.Context, method, url, kind string, body []byte, out any) error {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", kind)
	}
	if c.authorize != nil {
		c.authorize(request)
	}
	response, err := c.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return err
	}
	if response.StatusCode >= 300 {
		return refused(response, answer)
	}
	if out == nil || len(answer) == 0 {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, url, err)
	}
	return nil
}

// refused reads what either API says of a refusal.
func refused(response *http.Response, answer []byte) *refusal {
	var said struct {
		Title, Detail string // of the videos
		Error         struct{ Code, Message string }
	}
	_ = json.Unmarshal(answer, &said) // what is no JSON has its status
	r := &refusal{status: response.StatusCode, code: said.Error.Code}
	r.message = cmp.Or(said.Error.Message, said.Detail, said.Title, http.StatusText(r.status))
	if r.status == http.StatusTooManyRequests || r.status == http.StatusServiceUnavailable {
		h := response.Header
		seconds, _ := strconv.Atoi(cmp.Or(h.Get("Retry-After"), h.Get("X-RateLimit-Retry-After")))
		r.after = time.Duration(min(max(seconds, 1), 60)) * time.Second
	}
	return r
}

// pollsAPI and videoAPI keep the two apart.
type (
	pollsAPI struct{ caller }
	videoAPI struct{ caller }
)

const pollsBase = "/api/v4"

func (p pollsAPI) call(ctx context.Context, method, path string, in, out any) error {
	return p.caller.call(ctx, method, pollsBase+path, in, out)
}

// as is the same API for somebody with a token.
func (p pollsAPI) as(token string) pollsAPI {
	p.authorize = func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }
	return p
}

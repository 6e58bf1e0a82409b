package wire

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
)

func (p *Params) readBody(r *http.Request, plainJSON bool) error {
	body, err := takeBody(r)
	if err != nil || body == "" {
		return err
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return Errorf(UnsupportedMediaType, "", "send the body without Content-Encoding")
	}
	media, options, err := mediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	switch media {
	case "application/json":
		return p.readJSON(body)
	case "application/x-www-form-urlencoded":
		return p.readForm(body)
	case "multipart/form-data":
		return p.readMultipart(body, options["boundary"])
	case "text/plain":
		if plainJSON {
			return p.readJSON(body)
		}
	}
	return Errorf(UnsupportedMediaType, "",
		"send the body as application/json, application/x-www-form-urlencoded or multipart/form-data")
}

// takeBody reads no more than it takes to know that a body is too large.
func takeBody(r *http.Request) (string, error) {
	if r.Body == nil || r.ContentLength == 0 {
		return "", nil
	}
	if r.ContentLength > MaxBody {
		return "", errTooLarge
	}
	b := bodies.Get().(*bodyBuffer)
	defer b.release()
	b.from = io.LimitedReader{R: r.Body, N: MaxBody + 1}
	if _, err := b.ReadFrom(&b.from); err != nil {
		return "", Errorf(InvalidParameter, "", "the body could not be read to its end; send it again")
	}
	if b.Len() > MaxBody {
		return "", errTooLarge
	}
	return b.String(), nil
}

var errTooLarge = Errorf(BodyTooLarge, "", "a body may have %d bytes at most", MaxBody)

type bodyBuffer struct {
	bytes.Buffer
	from io.LimitedReader
}

var bodies = sync.Pool{New: func() any { return new(bodyBuffer) }}

func (b *bodyBuffer) release() {
	b.Reset()
	b.from.R = nil
	bodies.Put(b)
}

// mediaType spares the two usual types the parsing.
func mediaType(header string) (string, map[string]string, error) {
	switch header {
	case "":
		return "application/x-www-form-urlencoded", nil, nil
	case "application/json", "application/x-www-form-urlencoded":
		return header, nil, nil
	}
	media, options, err := mime.ParseMediaType(header)
	if err != nil {
		return "", nil, Errorf(UnsupportedMediaType, "", "the Content-Type header cannot be understood")
	}
	charset, named := options["charset"]
	if named && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "utf8") {
		return "", nil, Errorf(UnsupportedMediaType, "", "send the body in UTF-8")
	}
	return media, options, nil
}

package wire

import (
	"io"
	"mime"
	"mime/multipart"
	"net/url"
	"strings"
)

// readForm reads a query string or a urlencoded body. Unlike net/url it takes a
// semicolon for a character like others, as browsers do.
func (p *Params) readForm(form string) error {
	for form != "" {
		var pair string
		pair, form, _ = strings.Cut(form, "&")
		if pair == "" {
			continue
		}
		name, v, _ := strings.Cut(pair, "=")
		name, err := unescape(name)
		if err != nil {
			return err
		}
		v, err = unescape(v)
		if err != nil {
			return err
		}
		if err := p.add(name, value{text, v}); err != nil {
			return err
		}
	}
	return nil
}

func unescape(s string) (string, error) {
	plain, err := url.QueryUnescape(s) // copies only where there is something to unescape
	if err != nil {
		return "", Errorf(InvalidEncoding, "", "a %% must be followed by two hexadecimal digits; write %%25 for the sign itself")
	}
	return plain, checkText(plain)
}

func (p *Params) readMultipart(body, boundary string) error {
	if boundary == "" {
		return Errorf(InvalidParameter, "", "the Content-Type of a multipart body must name its boundary")
	}
	if !strings.Contains(body, "--"+boundary+"--") {
		return errMultipart // the reader would take some of those for complete
	}
	parts := multipart.NewReader(strings.NewReader(body), boundary)
	for {
		part, err := parts.NextRawPart()
		if err == io.EOF { // wrapped, it is that of a body that was cut off
			return nil
		}
		if err != nil {
			return errMultipart
		}
		if err := p.addPart(part); err != nil {
			return err
		}
	}
}

var errMultipart = Errorf(InvalidParameter, "", "the multipart body is malformed or incomplete")

func (p *Params) addPart(part *multipart.Part) error {
	disposition, options, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil || disposition != "form-data" || options["name"] == "" {
		return errMultipart
	}
	name := options["name"]
	if err := checkText(name); err != nil {
		return err
	}
	if _, file := options["filename"]; file {
		return Errorf(InvalidParameter, shown(name), "files are not taken here; send plain fields only")
	}
	content, err := io.ReadAll(part)
	if err != nil {
		return errMultipart
	}
	v := string(content)
	if err := checkText(v); err != nil {
		return err
	}
	return p.add(name, value{text, v})
}

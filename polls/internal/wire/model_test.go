package wire_test

import (
	"encoding/json"
	"mime"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The model reads requests slowly, by other means than the package does, and
// knows only whether one is taken and which parameters it has.

type modelParams map[string]any // string, json.Number, bool, nil, or json.RawMessage for an array or object

// put tells whether a parameter may be added.
func (p modelParams) put(name string, value any) bool {
	other, twice := p[name]
	p[name] = value
	return !twice || sameValue(other, value)
}

func sameValue(a, b any) bool {
	x, isRaw := a.(json.RawMessage)
	y, isRawToo := b.(json.RawMessage)
	if isRaw || isRawToo {
		return isRaw && isRawToo && string(x) == string(y)
	}
	return a == b
}

func modelText(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

func modelForm(form string) (modelParams, bool) {
	p := modelParams{}
	for pair := range strings.SplitSeq(form, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err1 := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		if err1 != nil || err2 != nil || !modelText(name) || !modelText(value) || !p.put(name, value) {
			return nil, false
		}
	}
	return p, true
}

var (
	surrogates = regexp.MustCompile(`\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}`)
	forbidden  = regexp.MustCompile(`\\u([dD][89a-fA-F]|0000)`)
)

func modelJSON(body string) (modelParams, bool) {
	escapes := surrogates.ReplaceAllString(strings.ReplaceAll(body, `\\`, "x"), "x")
	if !modelText(body) || !json.Valid([]byte(body)) || forbidden.MatchString(escapes) || modelDepth(body) > 8 {
		return nil, false
	}
	p := modelParams{}
	dec := json.NewDecoder(strings.NewReader(body))
	if opening, _ := dec.Token(); opening != json.Delim('{') {
		return nil, false
	}
	for dec.More() {
		name, _ := dec.Token()
		var raw json.RawMessage
		if dec.Decode(&raw) != nil || !p.put(name.(string), modelValue(raw)) {
			return nil, false
		}
	}
	return p, true
}

func modelValue(raw json.RawMessage) any {
	if raw[0] == '[' || raw[0] == '{' {
		return raw
	}
	var value any
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	_ = dec.Decode(&value)
	return value
}

func modelDepth(body string) (deepest int) {
	dec := json.NewDecoder(strings.NewReader(body))
	for depth := 0; ; {
		token, err := dec.Token()
		if err != nil {
			return deepest
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
			deepest = max(deepest, depth)
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

// modelRead is the model of Read for requests that are not multipart.
func modelRead(method, contentType, query, body string) (modelParams, bool) {
	fromQuery, ok := modelForm(query)
	if !ok {
		return nil, false
	}
	fromBody := modelParams{}
	if method != "GET" && method != "HEAD" && body != "" {
		if fromBody, ok = modelBody(contentType, body); !ok {
			return nil, false
		}
	}
	if len(fromBody)+len(fromQuery) > 100 {
		return nil, false
	}
	for name, value := range fromQuery {
		if given := fromBody[name]; given == nil || given == "" {
			fromBody[name] = value
		}
	}
	return fromBody, true
}

func modelBody(contentType, body string) (modelParams, bool) {
	if len(body) > 64<<10 {
		return nil, false
	}
	if contentType == "" {
		return modelForm(body)
	}
	media, options, err := mime.ParseMediaType(contentType)
	charset, named := options["charset"]
	if err != nil || named && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "utf8") {
		return nil, false
	}
	switch media {
	case "application/x-www-form-urlencoded":
		return modelForm(body)
	case "application/json":
		return modelJSON(body)
	}
	return nil, false
}

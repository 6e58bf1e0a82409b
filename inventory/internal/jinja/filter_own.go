package jinja

import (
	"encoding/base64"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The filters that cluster documents have beyond Jinja2's.
var ownFilters = map[string]filter{
	"isipv4":       onString(func(s string) (any, error) { return isAddress(s, netip.Addr.Is4), nil }),
	"isipv6":       onString(func(s string) (any, error) { return isAddress(s, netip.Addr.Is6), nil }),
	"majorversion": onString(func(s string) (any, error) { return version(s, 1) }),
	"minorversion": onString(func(s string) (any, error) { return version(s, 2) }),
	"versionkey":   onString(versionKey),
	"b64encode":    onString(func(s string) (any, error) { return base64.StdEncoding.EncodeToString([]byte(s)), nil }),
	"b64decode":    onString(decodeBase64),
	"url_quote":    onString(func(s string) (any, error) { return url.QueryEscape(s), nil }),
	"is_true":      filterWord(true),
	"is_false":     filterWord(false),
	"tojson":       filterToJSON,
	"toyaml":       filterToYAML,
}

// onString makes a filter of strings only, without arguments.
func onString(fn func(string) (any, error)) filter {
	return func(st *state, v any, a arguments) (any, error) {
		if _, err := a.bind(); err != nil {
			return nil, err
		}
		s, ok := v.(string)
		if !ok {
			if err := refuseUndefined(v); err != nil {
				return nil, err
			}
			return nil, fail("a string is needed, not %s", kindOf(v))
		}
		if err := st.charge(2 * len(s)); err != nil {
			return nil, err
		}
		return fn(s)
	}
}

// isAddress accepts an address, or a network without host bits.
func isAddress(s string, family func(netip.Addr) bool) bool {
	if a, err := netip.ParseAddr(s); err == nil {
		return family(a)
	}
	p, err := netip.ParsePrefix(s)
	return err == nil && family(p.Addr()) && p.Masked() == p
}

var versionPattern = regexp.MustCompile(`^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?$`)

func version(s string, parts int) (any, error) {
	m := versionPattern.FindStringSubmatch(s)
	if m == nil || m[parts] == "" {
		return nil, fail("%q is no version like v1.2.3", s)
	}
	return "v" + strings.Join(m[1:parts+1], "."), nil
}

func versionKey(s string) (any, error) {
	m := versionPattern.FindStringSubmatch(s)
	if m == nil || m[3] == "" {
		return nil, fail("%q is no version like v1.2.3", s)
	}
	key := Tuple{}
	for _, digits := range m[1:] {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, fail("%q is no version like v1.2.3", s)
		}
		key = append(key, n)
	}
	return key, nil
}

func decodeBase64(s string) (any, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, fail("the string is no base64")
	}
	if !utf8.Valid(b) {
		return nil, fail("the decoded bytes are no UTF-8 text")
	}
	return string(b), nil
}

// filterWord tells whether a value says yes, or says no. What says neither is
// false for both.
func filterWord(yes bool) filter {
	words := map[string]bool{
		"y": true, "yes": true, "t": true, "true": true, "on": true, "1": true,
		"n": false, "no": false, "f": false, "false": false, "off": false, "0": false,
	}
	return func(_ *state, v any, a arguments) (any, error) {
		if _, err := a.bind(); err != nil {
			return nil, err
		}
		word, ok := v.(string)
		if !ok {
			word = spellScalar(v)
		}
		said, known := words[strings.ToLower(word)]
		return known && said == yes, nil
	}
}

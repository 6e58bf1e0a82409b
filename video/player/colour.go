package player

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// colour has red, green and blue from 0 to 255 and opacity from 0 to 1.
type colour struct {
	red, green, blue uint8
	opacity          float64
}

func (c colour) String() string {
	return fmt.Sprintf("rgba(%d,%d,%d,%s)", c.red, c.green, c.blue, strconv.FormatFloat(c.opacity, 'f', -1, 64))
}

// parseColour reads rgba(…), rgb(…) and #… with three, six or eight digits.
func parseColour(text string) (colour, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	if digits, ok := strings.CutPrefix(text, "#"); ok {
		return parseHex(digits)
	}
	text, ok := strings.CutSuffix(text, ")")
	if !ok {
		return colour{}, false
	}
	list, ok := strings.CutPrefix(text, "rgba(")
	if !ok {
		if list, ok = strings.CutPrefix(text, "rgb("); !ok {
			return colour{}, false
		}
	}
	parts := strings.Split(list, ",")
	if len(parts) != 3 && len(parts) != 4 {
		return colour{}, false
	}
	c := colour{opacity: 1}
	for i, into := range []*uint8{&c.red, &c.green, &c.blue} {
		n, err := strconv.ParseUint(strings.TrimSpace(parts[i]), 10, 8)
		if err != nil {
			return colour{}, false
		}
		*into = uint8(n)
	}
	if len(parts) == 4 {
		if c.opacity, ok = parseOpacity(parts[3]); !ok {
			return colour{}, false
		}
	}
	return c, true
}

// parseOpacity reads a plain decimal number, so neither NaN nor 1e-300.
func parseOpacity(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > 8 || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil && n <= 1
}

func parseHex(digits string) (colour, bool) {
	if len(digits) == 3 {
		digits = strings.Join([]string{digits[:1], digits[:1], digits[1:2], digits[1:2], digits[2:], digits[2:]}, "")
	}
	if len(digits) == 6 {
		digits += "ff"
	}
	b, err := hex.DecodeString(digits)
	if err != nil || len(b) != 4 {
		return colour{}, false
	}
	return colour{b[0], b[1], b[2], float64(b[3]) / 255}, true
}

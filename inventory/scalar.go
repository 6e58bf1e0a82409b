package inventory

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Plain scalars as YAML 1.1 reads them.
var (
	plainInt   = regexp.MustCompile(`^[-+]?(0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*(:[0-5]?[0-9])*)$`)
	plainFloat = regexp.MustCompile(`^([-+]?([0-9][0-9_]*)\.[0-9_]*([eE][-+][0-9]+)?|[-+]?\.[0-9][0-9_]*([eE][-+][0-9]+)?` +
		`|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
	plainTime = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2}` +
		`|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?)$`)
)

// maxDigits bounds whole numbers: converting longer ones costs their square.
const maxDigits = 4300

// resolvePlain gives an unquoted scalar its type. ok is false for a number that
// cannot be held.
func resolvePlain(text string) (v *Value, ok bool) {
	if text == "" {
		return &Value{}, true
	}
	switch text {
	case "~", "null", "Null", "NULL":
		return &Value{}, true
	case "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return NewBool(true), true
	case "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return NewBool(false), true
	}
	if !strings.ContainsRune("+-.0123456789", rune(text[0])) {
		return NewString(text), true
	}
	switch {
	case plainInt.MatchString(text):
		return parseInt(text)
	case plainFloat.MatchString(text):
		return parseFloat(text)
	case plainTime.MatchString(text):
		return &Value{Kind: Time, Text: text}, true
	}
	return NewString(text), true
}

func parseInt(text string) (*Value, bool) {
	digits := strings.ReplaceAll(text, "_", "")
	negative := strings.HasPrefix(digits, "-")
	digits = strings.TrimLeft(digits, "+-")
	if len(digits) > maxDigits {
		return nil, false
	}
	n, ok := new(big.Int), true
	switch {
	case strings.HasPrefix(digits, "0x") || strings.HasPrefix(digits, "0b"):
		_, ok = n.SetString(digits, 0)
	case strings.Contains(digits, ":"):
		n = base60(digits)
	case len(digits) > 1 && digits[0] == '0':
		_, ok = n.SetString(digits, 8)
	default:
		_, ok = n.SetString(digits, 10)
	}
	if !ok {
		return nil, false
	}
	if negative {
		n.Neg(n)
	}
	return wholeNumber(n), true
}

// wholeNumber keeps the digits of what 64 bits cannot hold.
func wholeNumber(n *big.Int) *Value {
	if n.IsInt64() {
		return NewInt(n.Int64())
	}
	return &Value{Kind: Int, Text: n.String()}
}

// base60 reads 22:30 as 1350.
func base60(digits string) *big.Int {
	n, sixty := new(big.Int), big.NewInt(60)
	for part := range strings.SplitSeq(digits, ":") {
		p, _ := new(big.Int).SetString(part, 10)
		n.Mul(n, sixty).Add(n, p)
	}
	return n
}

func parseFloat(text string) (*Value, bool) {
	digits := strings.ToLower(strings.ReplaceAll(text, "_", ""))
	sign := 1.0
	if strings.HasPrefix(digits, "-") {
		sign = -1
	}
	digits = strings.TrimLeft(digits, "+-")
	switch digits {
	case ".inf":
		return newFloat(math.Inf(int(sign))), true
	case ".nan":
		return newFloat(math.NaN()), true
	}
	total := 0.0
	for part := range strings.SplitSeq(digits, ":") {
		f, err := strconv.ParseFloat(strings.TrimSuffix(part, "."), 64)
		if err != nil {
			return nil, false
		}
		total = total*60 + f
	}
	return newFloat(sign * total), true
}

package jinja

import (
	"math"
	"strconv"
	"strings"
)

func filterAbs(_ *state, v any, a arguments) (any, error) {
	if _, err := a.bind(); err != nil {
		return nil, err
	}
	if i, ok := integer(v); ok {
		if i < 0 {
			return negated(i, true)
		}
		return i, nil
	}
	if f, ok := v.(float64); ok {
		return math.Abs(f), nil
	}
	return nil, notNumber(v)
}

func notNumber(v any) error {
	if err := refuseUndefined(v); err != nil {
		return err
	}
	return fail("a number is needed, not %s", kindOf(v))
}

// filterInt gives the default for what is no number, as Jinja2 does.
func filterInt(_ *state, v any, a arguments) (any, error) {
	p, err := a.bind("default", "base")
	if err != nil {
		return nil, err
	}
	if err := refuseUndefined(v); err != nil {
		return nil, err
	}
	base, err := p.integer(1, 10)
	if err != nil {
		return nil, err
	}
	if i, ok := integer(v); ok {
		return i, nil
	}
	f, ok := v.(float64)
	if s, isString := v.(string); isString {
		if i, ok := parseInteger(s, base); ok {
			return i, nil
		}
		f, ok = parseFloat(s)
	}
	if !ok || f != f || math.Abs(f) >= 1<<63 {
		return p.or(0, int64(0)), nil
	}
	return int64(f), nil
}

func parseInteger(s string, base int) (int64, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	sign := ""
	if s != "" && (s[0] == '-' || s[0] == '+') {
		sign, s = s[:1], s[1:]
	}
	prefix := map[int]string{2: "0b", 8: "0o", 16: "0x"}[base]
	if prefix != "" {
		s = strings.TrimPrefix(s, prefix)
	}
	if strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") || strings.Contains(s, "__") || s == "" || s[0] == '-' || s[0] == '+' {
		return 0, false
	}
	if base < 0 || base == 1 || base > 36 {
		return 0, false
	}
	i, err := strconv.ParseInt(sign+strings.ReplaceAll(s, "_", ""), base, 64)
	return i, err == nil
}

func parseFloat(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "xXpP") || strings.Contains(s, "__") {
		return 0, false // Go reads hexadecimal fractions, Python does not
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, err == nil || math.IsInf(f, 0)
}

func filterFloat(_ *state, v any, a arguments) (any, error) {
	p, err := a.bind("default")
	if err != nil {
		return nil, err
	}
	if err := refuseUndefined(v); err != nil {
		return nil, err
	}
	if f, ok := number(v); ok {
		return f, nil
	}
	if s, ok := v.(string); ok {
		if f, ok := parseFloat(s); ok {
			return f, nil
		}
	}
	return p.or(0, 0.0), nil
}

func filterRound(_ *state, v any, a arguments) (any, error) {
	p, err := a.bind("precision", "method")
	if err != nil {
		return nil, err
	}
	precision, err := p.integer(0, 0)
	if err != nil {
		return nil, err
	}
	how, err := p.str(1, "common")
	if err != nil {
		return nil, err
	}
	f, ok := number(v)
	if !ok {
		return nil, notNumber(v)
	}
	if precision < -300 || precision > 300 {
		return nil, fail("the precision %d is out of range", precision)
	}
	scale := math.Pow(10, float64(precision))
	switch how {
	case "common":
		if i, ok := integer(v); ok {
			return roundInteger(i, precision), nil
		}
		return roundFloat(f, precision), nil
	case "ceil":
		return math.Ceil(f*scale) / scale, nil
	case "floor":
		return math.Floor(f*scale) / scale, nil
	}
	return nil, fail("the method must be common, ceil or floor")
}

func roundInteger(i int64, precision int) int64 {
	if precision >= 0 {
		return i
	}
	scale := math.Pow(10, float64(-precision))
	return int64(math.RoundToEven(float64(i)/scale) * scale)
}

// roundFloat rounds the decimal value, half to even, as Python's round().
func roundFloat(f float64, precision int) float64 {
	if precision < 0 {
		scale := math.Pow(10, float64(-precision))
		return math.RoundToEven(f/scale) * scale
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'f', precision, 64), 64)
	if err != nil {
		return f
	}
	return rounded
}

package wire

import "strings"

// MaxNumber is above every id. Numbers from there on are all taken as this one:
// no answer depends on how large they are, and sums with it do not overflow.
const MaxNumber = 1 << 53

// digits reads 1 to 16 digits, with spaces around them or without.
func digits(s string) (int64, bool) {
	s = strings.Trim(s, " ")
	if s == "" || len(s) > 16 {
		return 0, false
	}
	var n int64
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(s[i]-'0')
	}
	return min(n, MaxNumber), true
}

// integral reads a JSON number that has a whole value, however it is written:
// 12, 12.0, 1.2e1, 120e-1. Its cost does not depend on the exponent.
func integral(s string) (n int64, ok bool) {
	s, negative := strings.CutPrefix(s, "-")
	mantissa, exponent := s, ""
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa, exponent = s[:i], s[i+1:]
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	if fraction == "" {
		trimmed := strings.TrimRight(whole, "0")
		n, ok = scale("", trimmed, len(whole)-len(trimmed)+power(exponent))
	} else {
		n, ok = scale(whole, fraction, power(exponent)-len(fraction))
	}
	if negative {
		n = -n
	}
	return n, ok
}

// scale is the number of the digits a and b in a row, times ten to the power of
// exp. The last digit must not be zero.
func scale(a, b string, exp int) (int64, bool) {
	if b == "" {
		return 0, true
	}
	if exp < 0 {
		return 0, false
	}
	var n int64
	for _, part := range [2]string{a, b} {
		for i := range len(part) {
			n = min(10*n+int64(part[i]-'0'), MaxNumber)
		}
	}
	for ; exp > 0 && n < MaxNumber; exp-- {
		n = min(10*n, MaxNumber)
	}
	return n, true
}

// power reads an exponent. A very large one is cut off at a size that no number
// of digits in a body can make up for.
func power(s string) int {
	s, negative := strings.CutPrefix(s, "-")
	n := 0
	for _, c := range strings.TrimPrefix(s, "+") {
		n = min(10*n+int(c-'0'), 10*MaxBody)
	}
	if negative {
		return -n
	}
	return n
}

package wire_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

// fromJSON has a parameter a with a value as it is written in JSON.
func fromJSON(t testing.TB, literal string) *wire.Params {
	t.Helper()
	p, err := wire.Read(request("POST", "/x", jsonType, `{"a":`+literal+`}`))
	if err != nil {
		t.Fatalf("%s: got %v", literal, err)
	}
	return p
}

// fromForm has a parameter a with a text.
func fromForm(t testing.TB, text string) *wire.Params {
	t.Helper()
	p, err := wire.Read(request("POST", "/x", formType, "a="+url.QueryEscape(text)))
	if err != nil {
		t.Fatalf("%q: got %v", text, err)
	}
	return p
}

func TestNumberInJSON(t *testing.T) {
	t.Parallel()
	const most = wire.MaxNumber
	for literal, want := range map[string]int64{
		"2": 2, "0": 0, "-0": 0, "-1": -1, "1.0": 1, "-1.00": -1, "1e3": 1000, "1E+3": 1000, "1.5e1": 15, "1.250e2": 125, "100e-2": 1, "10.0e-1": 1,
		"0.5e1": 5, "0.05e2": 5, "9007199254740991": 1<<53 - 1, "9007199254740992": most, "9007199254740993": most, "123456789012345678901234567890": most,
		"1e999999": most, "-1e999999": -most, "1e99999999999999999999": most, "0e999999": 0, "0.0e-99999999999999999999": 0, "1e15": 1e15,
		`"2"`: 2, `" 2 "`: 2, `"007"`: 7, `"\u0032"`: 2, "1" + strings.Repeat("0", 50000) + "e-50000": 1, "0." + strings.Repeat("0", 50000) + "1e50001": 1,
	} {
		if got, given, err := fromJSON(t, literal).Number("a"); got != want || !given || err != nil {
			t.Errorf("%.60s: got %d, %v, %v, want %d", literal, got, given, err, want)
		}
	}
	for _, literal := range []string{
		"1.5", "1e-1", "1e-999999", "0.1e0", "15e-1", "1e-99999999999999999999", "true", "false", "[1]", "[]", "{}", `"1.5"`, `"1.0"`, `"1e3"`, `"0x1"`, `"-1"`, `"+1"`,
		`" "`, `"1 2"`, `"\t1"`, `"1_000"`, `"one"`, `"true"`, `"٣"`, `"12345678901234567"`,
	} {
		_, _, err := fromJSON(t, literal).Number("a")
		wantCode(t, literal, err, wire.InvalidParameter, "a")
	}
}

func TestNumberInAForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"2": 2, " 2": 2, "  2  ": 2, "0": 0, "0000000000000001": 1, "9007199254740991": 1<<53 - 1, "9999999999999999": wire.MaxNumber} {
		if got, given, err := fromForm(t, text).Number("a"); got != want || !given || err != nil {
			t.Errorf("%q: got %d, %v, %v, want %d", text, got, given, err, want)
		}
	}
	for _, text := range []string{" ", "-1", "+1", "1.0", "1e3", "0x1", "1,2", "true", "[1]", "\n1", "1\u00a0", "00000000000000001"} {
		_, _, err := fromForm(t, text).Number("a")
		wantCode(t, text, err, wire.InvalidParameter, "a")
	}
}

func TestBool(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]bool{
		"true": true, "1": true, "1.0": true, "10e-1": true, `"true"`: true, `"TRUE"`: true, `"True"`: true, `"1"`: true,
		"false": false, "0": false, "-0.0": false, `"false"`: false, `"False"`: false, `"0"`: false,
	} {
		if got, given, err := fromJSON(t, literal).Bool("a"); got != want || !given || err != nil {
			t.Errorf("%s: got %v, %v, %v, want %v", literal, got, given, err, want)
		}
	}
	for _, literal := range []string{"2", "-1", "0.5", `"yes"`, `"on"`, `" true"`, `"01"`, `"2"`, "[]", "[true]", "{}"} {
		_, _, err := fromJSON(t, literal).Bool("a")
		wantCode(t, literal, err, wire.InvalidParameter, "a")
	}
}

func TestStringTakesNumbersAndBooleansAsWritten(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string]string{`"x"`: "x", `" "`: " ", "1.50": "1.50", "-1E5": "-1E5", "true": "true", "false": "false", `"null"`: "null"} {
		if got, given, err := fromJSON(t, literal).String("a"); got != want || !given || err != nil {
			t.Errorf("%s: got %q, %v, %v, want %q", literal, got, given, err, want)
		}
	}
	for _, literal := range []string{"[]", `["x"]`, "{}", `{"x":"y"}`} {
		_, _, err := fromJSON(t, literal).String("a")
		wantCode(t, literal, err, wire.InvalidParameter, "a")
	}
}

func TestNullAndEmptyAreNotGiven(t *testing.T) {
	t.Parallel()
	absent, err := wire.Read(request("POST", "/x", jsonType, `{}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range map[string]*wire.Params{"null": fromJSON(t, "null"), "empty": fromJSON(t, `""`), "empty in a form": fromForm(t, ""), "absent": absent} {
		_, aString, err1 := p.String("a")
		_, aNumber, err2 := p.Number("a")
		_, aBool, err3 := p.Bool("a")
		_, someStrings, err4 := p.Strings("a")
		_, someNumbers, err5 := p.Numbers("a")
		_, anID := p.ID("a")
		got := fmt.Sprint(p.Has("a"), aString, aNumber, aBool, someStrings, someNumbers, anID, err1, err2, err3, err4, err5)
		if want := "false false false false false false false <nil> <nil> <nil> <nil> <nil>"; got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		_, err := p.NeedString("a")
		wantCode(t, name, err, wire.MissingParameter, "a")
		_, err = p.NeedNumber("a")
		wantCode(t, name, err, wire.MissingParameter, "a")
	}
}

func TestNeededParameterOfAWrongType(t *testing.T) {
	t.Parallel()
	_, err := fromJSON(t, "[]").NeedString("a")
	wantCode(t, "string", err, wire.InvalidParameter, "a")
	_, err = fromJSON(t, "[]").NeedNumber("a")
	wantCode(t, "number", err, wire.InvalidParameter, "a")
}

func TestIDIsPositiveAndBelowTheBound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"1": true, "9007199254740991": true, "9007199254740992": false, "0": false, "-1": false, "x": false, "1-tabs": false} {
		if id, ok := fromForm(t, text).ID("a"); ok != want {
			t.Errorf("%s: got %d, %v, want %v", text, id, ok, want)
		}
	}
}

package wire_test

import (
	"strings"
	"testing"

	"stoa/polls/internal/wire"
)

func TestBodyThatIsNoJSONObject(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		" ", "[]", "1", "null", `"a"`, "\ufeff{}", "{", "}", "{}}", "{} {}", "{}x", `{"a"}`, `{"a":}`, `{"a":1,}`, `{,}`, `{a:1}`, `{'a':1}`,
		`{"a" 1}`, `{"a":1 "b":2}`, `{"a":01}`, `{"a":-}`, `{"a":+1}`, `{"a":.5}`, `{"a":1.}`, `{"a":1e}`, `{"a":1e+}`, `{"a":0x1}`,
		`{"a":NaN}`, `{"a":Infinity}`, `{"a":True}`, `{"a":tru}`, `{"a":nul`, `{"a":truex}`, `{"a":"`, `{"a":"\`, `{"a":"\x"}`, `{"a":"\u12"}`,
		`{"a":"\u12G4"}`, `{"a":"\u+123"}`, "{\"a\":\"\n\"}", "{\"a\":\"\\n\n\"}", `{"a":[1,]}`, `{"a":[1`, `{"a":[1}`, `{"a":{]}`, `{"a":1}//`, "{\u00a0}",
	} {
		_, err := wire.Read(request("POST", "/x", jsonType, body))
		wantCode(t, body, err, wire.InvalidJSON, "")
	}
}

func TestJSONNesting(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return `{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }
	if _, err := wire.Read(request("POST", "/x", jsonType, nested(7))); err != nil {
		t.Errorf("an object and 7 arrays: got %v", err)
	}
	_, err := wire.Read(request("POST", "/x", jsonType, nested(8)))
	wantCode(t, "an object and 8 arrays", err, wire.InvalidJSON, "")
	_, err = wire.Read(request("POST", "/x", jsonType, strings.Repeat(`{"a":`, wire.MaxBody/5)))
	wantCode(t, "as deep as fits", err, wire.InvalidJSON, "")
}

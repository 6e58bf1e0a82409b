package wire_test

import (
	"slices"
	"testing"

	"stoa/polls/internal/wire"
)

func TestStrings(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string][]string{
		`["a","b c"]`: {"a", "b c"}, `["a,b"]`: {"a,b"}, `"a, b ,,c"`: {"a", "b", "c"}, `[]`: {}, `[1,true," x ","",null]`: {"1", "true", "x"},
		`"a"`: {"a"}, "7": {"7"}, `","`: {}, `["\u0061" , "b" ]`: {"a", "b"},
	} {
		got, given, err := fromJSON(t, literal).Strings("a")
		if !slices.Equal(got, want) || got == nil || !given || err != nil {
			t.Errorf("%s: got %q, %v, %v, want %q", literal, got, given, err, want)
		}
	}
	for _, literal := range []string{`[["a"]]`, `["a",{}]`, `{}`} {
		_, _, err := fromJSON(t, literal).Strings("a")
		wantCode(t, literal, err, wire.InvalidParameter, "a")
	}
	if got, _, err := fromForm(t, "a,b").Strings("a"); !slices.Equal(got, []string{"a", "b"}) || err != nil {
		t.Errorf("form: got %q, %v", got, err)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for literal, want := range map[string][]int64{`[1,2.0,"3"]`: {1, 2, 3}, `"1, 2,3 "`: {1, 2, 3}, `[]`: {}, `7`: {7}, `"7"`: {7}, `[-1]`: {-1}} {
		got, given, err := fromJSON(t, literal).Numbers("a")
		if !slices.Equal(got, want) || got == nil || !given || err != nil {
			t.Errorf("%s: got %v, %v, %v, want %v", literal, got, given, err, want)
		}
	}
	for _, literal := range []string{`[1,null]`, `[""]`, `[[1]]`, `"1,,2"`, `"1;2"`, `true`, `{}`, `[1.5]`, `[true]`} {
		_, _, err := fromJSON(t, literal).Numbers("a")
		wantCode(t, literal, err, wire.InvalidParameter, "a")
	}
}

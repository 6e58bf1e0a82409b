package text_test

import (
	"errors"
	"strings"
	"testing"

	"stoa/polls/internal/text"
)

// field is any of the functions that take one text.
type field func(string) (string, error)

func wantText(t *testing.T, f field, in, want string) {
	t.Helper()
	got, err := f(in)
	if err != nil || got != want {
		t.Errorf("%+q: got %+q, %v, want %+q", in, got, err, want)
	}
}

func wantKind(t *testing.T, f field, in string, want text.Kind) {
	t.Helper()
	got, err := f(in)
	if got != "" || kindOf(err) != want {
		t.Errorf("%+q: got %+q, %v, want %s", in, got, err, want)
	}
}

func kindOf(err error) text.Kind {
	if p, ok := errors.AsType[*text.Problem](err); ok {
		return p.Kind
	}
	return ""
}

func TestCaptionIsNormalised(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, in, want string }{
		{"as it is", "Tabs or spaces?", "Tabs or spaces?"},
		{"white space at the ends", " \u00a0\u3000\tTabs?\r\n ", "Tabs?"},
		{"runs of tabs and line breaks", "a\t\n\r\n\u2028b\u2029c", "a b c"},
		{"spaces inside stay", "a  b \n c", "a  b   c"},
		{"composed", "Cafe\u0301", "Caf\u00e9"},
		{"markup is text", `<script>alert("x")</script>'; DROP TABLE polls`, `<script>alert("x")</script>'; DROP TABLE polls`},
		{"emoji with joiners", "👩‍👩‍👧 or 🏳️‍🌈", "👩‍👩‍👧 or 🏳️‍🌈"},
		{"right to left", "שלום או مرحبا", "שלום או مرحبا"},
		{"isolates", "a \u2067שלום\u2069 b", "a \u2067שלום\u2069 b"},
		{"Arabic number sign", "\u0600", "\u0600"},
		{"replacement character", "\ufffd", "\ufffd"},
		{"200 code points of four bytes", strings.Repeat("🦊", 200), strings.Repeat("🦊", 200)},
		{"200 once composed", strings.Repeat("e\u0301", 200), strings.Repeat("\u00e9", 200)},
		{"200 once trimmed", "  " + strings.Repeat("a", 200) + "\n", strings.Repeat("a", 200)},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantText(t, text.Caption, test.in, test.want)
		})
	}
}

func TestCaptionIsRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in string
		want     text.Kind
	}{
		{"empty", "", text.TooShort},
		{"white space", " \t\n\u2003 ", text.TooShort},
		{"zero width", "\u200b\u200d\ufeff", text.TooShort},
		{"marks of direction", "\u200e\u2066\u2069", text.TooShort},
		{"variation selectors", "\ufe0f\U000e0100", text.TooShort},
		{"Hangul fillers", "\u115f\u3164\uffa0", text.TooShort},
		{"blank braille", "\u2800", text.TooShort},
		{"tag characters", "\U000e0041", text.TooShort},
		{"201 code points", strings.Repeat("a", 201), text.TooLong},
		{"201 that would not compose", strings.Repeat("x\u0301", 101), text.TooLong},
		{"NUL", "a\x00b", text.InvalidText},
		{"bell", "a\ab", text.InvalidText},
		{"vertical tab", "a\vb", text.InvalidText},
		{"form feed at the end", "a\f", text.InvalidText},
		{"DEL", "a\x7fb", text.InvalidText},
		{"next line, of C1", "a\u0085", text.InvalidText},
		{"noncharacter", "a\ufffeb", text.InvalidText},
		{"noncharacter of Arabic", "a\ufdd0b", text.InvalidText},
		{"noncharacter of the last plane", "a\U0010ffffb", text.InvalidText},
		{"embedding", "a\u202ab", text.InvalidText},
		{"override", "a\u202eb", text.InvalidText},
		{"not UTF-8", "a\xffb", text.InvalidText},
		{"surrogate", "a\xed\xa0\x80b", text.InvalidText},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			wantKind(t, text.Caption, test.in, test.want)
		})
	}
}

func TestLengthsOfEachText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name     string
		f        field
		min, max int
	}{
		{"caption", text.Caption, 1, 200},
		{"choice", text.Choice, 1, 80},
		{"comment", text.Comment, 1, 1000},
		{"name", text.Name, 0, 80},
		{"location", text.Location, 0, 120},
		{"about", text.About, 0, 500},
		{"social username", text.SocialUsername, 0, 80},
		{"display name", text.DisplayName, 1, 120},
		{"embed name", text.EmbedName, 1, 120},
		{"username", text.Username, 2, 32},
		{"publisher", text.PublisherName, 1, 64},
		{"poll set", text.SetName, 1, 64},
		{"placement", text.Placement, 1, 64},
		{"tag", text.Tag, 1, 50},
		{"password", text.Password, 8, 128},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, n := range []int{test.min, test.min + 1, test.max} {
				wantText(t, test.f, strings.Repeat("a", n), strings.Repeat("a", n))
			}
			wantKind(t, test.f, strings.Repeat("a", test.max+1), text.TooLong)
			if test.min > 0 {
				wantKind(t, test.f, strings.Repeat("a", test.min-1), text.TooShort)
			}
		})
	}
}

func TestLineBreaksStayInComments(t *testing.T) {
	t.Parallel()
	wantText(t, text.Comment, "\none\r\n\r\ntwo\rthree\u2028four\tfive\n", "one\n\ntwo\nthree\nfour\tfive")
	wantText(t, text.About, "one\ntwo", "one\ntwo")
	wantText(t, text.Name, "one\ntwo", "one two")
	wantKind(t, text.Comment, "one\x1btwo", text.InvalidText)
}

func TestOptionalTextThatCannotBeSeen(t *testing.T) {
	t.Parallel()
	wantText(t, text.Name, "  \n", "")
	wantKind(t, text.Name, "\u200b", text.TooShort)
}

func TestChoicesDifferByMoreThanCase(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"Tabs", "Spaces", false},
		{"Yes", "yes", true},
		{"Straße", "STRASSE", true},
		{"ΟΔΟΣ", "οδος", true},
		{"Café", "CAFE\u0301", true},
		{"Café", "Cafe", false},
		{"И", "й", false},
	} {
		err := text.Distinct(test.a, test.b)
		if got := kindOf(err) == text.ChoicesIdentical; got != test.same {
			t.Errorf("%q and %q: got %v, want the same: %v", test.a, test.b, err, test.same)
		}
	}
}

func TestPasswordIsKeptButForItsNormalForm(t *testing.T) {
	t.Parallel()
	wantText(t, text.Password, "  e\u0301\x01aaaa ", "  \u00e9\x01aaaa ")
	wantKind(t, text.Password, "pass\x00word", text.InvalidText) // no client could log in with these
	wantKind(t, text.Password, "\xffpassword", text.InvalidText)
	wantKind(t, text.Password, strings.Repeat("e\u0301", 7), text.TooShort)
}

func TestProblemsDoNotRepeatTheText(t *testing.T) {
	t.Parallel()
	for _, f := range []field{text.Password, text.Email, text.Website, text.Username} {
		_, err := f(strings.Repeat("hunter2 ", 300))
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("got %v, want a problem without the text", err)
		}
	}
}

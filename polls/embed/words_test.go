package embed

import (
	"reflect"
	"testing"
)

func TestLanguageOfATag(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"de": "de", "de-AT": "de", "FR": "fr", "es-419": "es", "ar-EG": "ar", "": "en", "tlh": "en", "-": "en", "d": "en",
	} {
		if got := wordsIn(tag).Lang; got != want {
			t.Errorf("%q: got %s want %s", tag, got, want)
		}
	}
}

func TestEveryLanguageHasAllWords(t *testing.T) {
	t.Parallel()
	for _, w := range languages {
		v := reflect.ValueOf(w)
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s: %s is missing", w.Lang, v.Type().Field(i).Name)
			}
		}
		if w.Votes["other"] == "" {
			t.Errorf("%s: votes without the form for other numbers", w.Lang)
		}
	}
}

func TestVotesInWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		lang string
		n    int64
		want string
	}{
		{"en", 0, "0 votes"},
		{"en", 1, "1 vote"},
		{"en", 999, "999 votes"},
		{"en", 1000, "1,000 votes"},
		{"en", 1234567890123, "1,234,567,890,123 votes"},
		{"de", 1, "1 Stimme"},
		{"de", 12345, "12.345 Stimmen"},
		{"fr", 0, "0 vote"},
		{"fr", 2_000_000, "2\u202f000\u202f000 votes"},
		{"es", 2, "2 votos"},
		{"ar", 0, "لا أصوات"},
		{"ar", 2, "صوتان"},
		{"ar", 1203, "1,203 أصوات"},
		{"ar", 11, "11 صوتًا"},
		{"ar", 100, "100 صوت"},
	}
	for _, test := range tests {
		if got := wordsIn(test.lang).votes(test.n); got != test.want {
			t.Errorf("%s %d: got %q want %q", test.lang, test.n, got, test.want)
		}
	}
}

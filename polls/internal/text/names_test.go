package text_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stoa/polls/internal/text"
)

func TestUsername(t *testing.T) {
	t.Parallel()
	wantText(t, text.Username, " Ann_42 ", "Ann_42")
	for _, in := range []string{"ann-b", "ann b", "änn", "ann@b", "ann\x00", "аnn", "ann\xff", "ad\u017fmin"} {
		wantKind(t, text.Username, in, text.InvalidText)
	}
	for _, in := range []string{"me", "Admin", "SIGN_OUT", "anonymous"} {
		wantKind(t, text.Username, in, text.InvalidText)
	}
}

func TestNamesInAddresses(t *testing.T) {
	t.Parallel()
	wantKind(t, text.PublisherName, "new", text.InvalidText)
	wantText(t, text.SetName, "new", "new")
	for _, f := range []field{text.PublisherName, text.SetName, text.Placement} {
		wantText(t, f, "the-daily_9", "the-daily_9")
		for _, in := range []string{"The-Daily", "a b", "a/b", "..", "é", "a\nb"} {
			wantKind(t, f, in, text.InvalidText)
		}
	}
}

func TestEmail(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"ann@example.com", "Ann.B+polls@sub.example.com", "ann@localhost", "jörg@bücher.example", "o'hara@example.com",
		strings.Repeat("a", 242) + "@example.com",
	} {
		wantText(t, text.Email, " "+in+"\n", in)
	}
	for _, in := range []string{
		"ann", "@example.com", "ann@", "a@b@c", "ann b@example.com", "Ann <ann@example.com>", "<ann@example.com>",
		`"a b"@example.com`, "ann@example.com (Ann)", "ann@a..b", "ann@example.com, bob@example.com",
		"ann@example.com\r\nBcc: x@y.z", "an\u200bn@example.com", "ann\x00@example.com", "\xff@example.com",
	} {
		wantKind(t, text.Email, in, text.InvalidText)
	}
	wantKind(t, text.Email, strings.Repeat("a", 243)+"@example.com", text.TooLong)
	wantKind(t, text.Email, "  ", text.TooShort)
}

func TestWebsite(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", "https://example.com", "HTTP://Example.com:8080/a?b=c#d", "http://[::1]/", "https://bücher.example/größe",
		"https://e.x/" + strings.Repeat("a", 2036),
	} {
		wantText(t, text.Website, " "+in, in)
	}
	for _, in := range []string{
		"example.com", "//example.com", "javascript:alert(1)", "ftp://example.com", "http://", "http:///a", "http://:80",
		"http:example.com", "https://a b.com", "https://a.com/b c", "https://a.com/b\nc", "https://good.example@evil.example",
		"https://a.com/%zz", "https://a\u200b.com", "mailto:a@b.c", `https:\\a.com`, `http://a.com\b`,
	} {
		wantKind(t, text.Website, in, text.InvalidURL)
	}
	wantKind(t, text.Website, "https://e.x/"+strings.Repeat("a", 2037), text.TooLong)
	wantKind(t, text.Website, "https://a.com/\u202e", text.InvalidText)
}

func TestTag(t *testing.T) {
	t.Parallel()
	wantText(t, text.Tag, " #Big_Cats9 ", "big_cats9")
	wantText(t, text.Tag, "CAFE\u0301", "caf\u00e9")
	wantText(t, text.Tag, "हिन्दी", "हिन्दी")
	for _, in := range []string{"##a", "a b", "a-b", "a,b", "🦊", "a\u200db", "\u0301", "a\ufe0f", "\u3164", "a\xff"} {
		wantKind(t, text.Tag, in, text.InvalidText)
	}
	wantKind(t, text.Tag, "#", text.TooShort)
}

func TestTagsOfAPoll(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		given   []string
		caption string
		want    []string
	}{
		{"none", nil, "Tabs or spaces?", []string{}},
		{"with commas", []string{"Go, #rust,,", "go"}, "", []string{"go", "rust"}},
		{"of the caption", nil, "#Tabs or (#spaces)? #tabs!", []string{"tabs", "spaces"}},
		{"given ones first", []string{"code"}, "#tabs #code", []string{"code", "tabs"}},
		{"not every # begins a word", nil, "C# a#b &#39; http://x/#y ##z # #️⃣ #-", []string{}},
		{"other scripts", nil, "#猫 oder #Größe? #हिन्दी", []string{"猫", "größe", "हिन्दी"}},
		{"too long a word is none", nil, "#" + strings.Repeat("a", 51) + " #b", []string{"b"}},
		{"as far as there is room", []string{"1,2,3,4,5,6,7,8,9"}, "#a #b #c", []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "a"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, err := text.Tags(test.given, test.caption)
			if err != nil || !slices.Equal(got, test.want) {
				t.Errorf("got %q, %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestTagsThatAreRefused(t *testing.T) {
	t.Parallel()
	_, err := text.Tags([]string{"1,2,3,4,5,6,7,8,9,10,11"}, "")
	if got := kindOf(err); got != text.TooLong {
		t.Errorf("eleven: got %v, want %s", err, text.TooLong)
	}
	if _, err := text.Tags([]string{"1,2,3,4,5,6,7,8,9,10,1,2"}, ""); err != nil {
		t.Errorf("ten, two of them twice: got %v, want none", err)
	}
	_, err = text.Tags([]string{"a b"}, "")
	if got := kindOf(err); got != text.InvalidText {
		t.Errorf("two words: got %v, want %s", err, text.InvalidText)
	}
}

// The time grows with the number of tags, not with its square.
func TestManyTagsAreRefusedSoon(t *testing.T) {
	t.Parallel()
	given := make([]string, 200_000)
	for i := range given {
		given[i] = strconv.Itoa(i)
	}
	began := time.Now()
	if _, err := text.Tags(given, ""); kindOf(err) != text.TooLong {
		t.Errorf("got %v, want %s", err, text.TooLong)
	}
	if took := time.Since(began); took > 30*time.Second { // it is a fraction of a second, or more than a minute
		t.Errorf("got %v for %d tags, want far less", took, len(given))
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{
		{"Tabs or spaces?", "tabs-or-spaces"},
		{"  ¿Café & Crème brûlée?! ", "cafe-creme-brulee"},
		{"Straße", "strasse"},
		{"Ｆｕｌｌ ｗｉｄｔｈ", "full-width"},
		{"猫か犬か", ""},
		{"猫 or 犬", "or"},
		{"---", ""},
		{"", ""},
		{"a\xffb", "a-b"},
		{strings.Repeat("a", 100), strings.Repeat("a", 60)},
		{strings.Repeat("a", 59) + " b", strings.Repeat("a", 59)},
		{strings.Repeat("a", 58) + " b", strings.Repeat("a", 58) + "-b"},
		{strings.Repeat("a", 59) + "ß", strings.Repeat("a", 59) + "s"},
	} {
		if got := text.Slug(test.in); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}

func TestDirection(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{
		{"Tabs", "ltr"},
		{"שלום", "rtl"},
		{"123, مرحبا or hello", "rtl"},
		{"🦊 hello שלום", "ltr"},
		{"123 🦊", "ltr"},
		{"", "ltr"},
		{"\u200fabc", "rtl"},
	} {
		if got := text.Direction(test.in); got != test.want {
			t.Errorf("%+q: got %s, want %s", test.in, got, test.want)
		}
	}
}

package language_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"stoa/video/internal/language"
)

func TestNamesOfCaptions(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{
		"en": "English", "fr": "Français", "af-NA": "Afrikaans (Namibië)", "zu": "IsiZulu", "ka": "ქართული", "en-DG": "en-DG",
	} {
		if got, ok := language.Caption(tag); !ok || got != want {
			t.Errorf("%s: got %q, %v, want %q", tag, got, ok, want)
		}
	}
	for _, tag := range []string{"", "xx", "EN", "en_US", "en-", "en-US\n", "../en", "en-US-x-mine"} {
		if got, ok := language.Caption(tag); ok {
			t.Errorf("%q: got %q, want none", tag, got)
		}
	}
}

func TestTheListOfCaptions(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("captions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for line := range strings.Lines(string(file)) {
		tag, name, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		first, _ := utf8.DecodeRuneInString(name)
		if !found || name == "" || strings.Contains(name, "\t") || (unicode.ToTitle(first) != first && name != tag) {
			t.Errorf("got line %q, want a tag and a name with a capital first", line)
		}
		for _, written := range []string{tag, strings.ToLower(tag)} {
			if kept, ok := language.Chapter(written); !ok || kept != tag {
				t.Errorf("%s: got %q, %v, want every language of captions to be one of chapters", written, kept, ok)
			}
		}
		tags = append(tags, tag)
	}
	if !slices.IsSorted(tags) || len(slices.Compact(tags)) != 672 {
		t.Errorf("got %d tags, sorted = %v, want 672 in order", len(tags), slices.IsSorted(tags))
	}
}

func TestLanguagesOfChapters(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]bool{
		"en": true, "en-GB": true, "zh-Hant-TW": true, "sr-Latn": true, "es-419": true, "de-CH-1996": true, "gsw": true,
		"": false, "e": false, "english": false, "en_GB": false, "en-": false, "-en": false, "en--GB": false, "qq": false, "en-BC": false,
		"x-mine": false, "en GB": false, "en.vtt": false, "../en": false, "en-GB\n": false, "日本": false, "en-" + strings.Repeat("a", 9): false,
	} {
		if kept, got := language.Chapter(tag); got != want || got && kept != tag {
			t.Errorf("%q: got %q, %v, want %v", tag, kept, got, want)
		}
	}
}

func TestLanguagesOfVideos(t *testing.T) {
	t.Parallel()
	for tag, want := range map[string]string{"en": "en", "no": "no", "false": "no", "zh": "zh"} {
		if got, ok := language.Video(tag); !ok || got != want {
			t.Errorf("%q: got %q, %v, want %q", tag, got, ok, want)
		}
	}
	for _, tag := range []string{"", "true", "en-US", "EN", "sv"} {
		if _, ok := language.Video(tag); ok {
			t.Errorf("%q: got it taken, want it refused", tag)
		}
	}
}

func FuzzChapter(f *testing.F) {
	f.Add("zh-Hant-TW")
	f.Add("tH-dnt")
	f.Add("en-u-co-phonebk")
	f.Fuzz(func(t *testing.T, tag string) {
		kept, ok := language.Chapter(tag)
		if again, _ := language.Chapter(kept); ok && (again != kept || !strings.EqualFold(kept, tag)) {
			t.Errorf("got %q for %q, and %q for that, want the tag in its own letter case", kept, tag, again)
		}
		if ok && strings.ContainsFunc(tag, func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r > 'z' }) {
			t.Errorf("got %q taken, want letters, digits and dashes only", tag)
		}
	})
}

package text_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"stoa/polls/internal/text"
)

// anyText draws text with more trouble in it than chance would bring.
func anyText() *rapid.Generator[string] {
	trouble := rapid.SampledFrom([]rune(" \t\n\r\u0085\u2028\u00a0\u200b\u200d\ufeff\u0301\u0345\u0338\u034f\ufe0f\u115f\u2000\u212b\u1100\u1161\u11a8" +
		"aAzZ09_-#@,./:ßſİıΣς\u202e\u2066\ufdd0🦊م ש"))
	piece := rapid.OneOf(
		rapid.Map(trouble, func(r rune) string { return string(r) }),
		rapid.StringN(1, 3, -1),
		rapid.Map(rapid.IntRange(28, 70), func(n int) string { return "a" + strings.Repeat("\u0301\u0323", n/2) }),
	)
	return rapid.Map(rapid.SliceOfN(piece, 0, 40), func(p []string) string { return strings.Join(p, "") })
}

var everyField = map[string]field{
	"caption": text.Caption, "choice": text.Choice, "comment": text.Comment, "name": text.Name, "location": text.Location,
	"about": text.About, "social": text.SocialUsername, "display": text.DisplayName, "embed": text.EmbedName,
	"username": text.Username, "publisher": text.PublisherName, "set": text.SetName, "placement": text.Placement,
	"email": text.Email, "website": text.Website, "tag": text.Tag, "password": text.Password,
}

func TestNormalisingTwiceIsOnce(t *testing.T) {
	t.Parallel()
	for name, f := range everyField {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				once, err := f(anyText().Draw(t, "text"))
				if err != nil {
					return
				}
				if twice, err := f(once); err != nil || twice != once {
					t.Fatalf("of %+q: got %+q, %v, want the same", once, twice, err)
				}
			})
		})
	}
}

func TestCaptionsAreWhatTheyMayBe(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) { checkCaption(t, anyText().Draw(t, "text")) })
}

func FuzzCaption(f *testing.F) {
	for _, s := range []string{"Tabs or spaces?", " a\t\nb ", "e\u0301", "\u202e", "\xff", "#a #B", strings.Repeat("🦊", 201)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkCaption(t, s) })
}

type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

var slugs = regexp.MustCompile(`^([a-z0-9]+(-[a-z0-9]+)*)?$`)

func checkCaption(t tester, s string) {
	t.Helper()
	text.Fold(s)
	if slug := text.Slug(s); !slugs.MatchString(slug) || len(slug) > 60 {
		t.Fatalf("slug of %+q: got %q", s, slug)
	}
	tags, err := text.Tags(nil, s)
	if err != nil || len(tags) > 10 {
		t.Fatalf("tags of %+q: got %q, %v", s, tags, err)
	}
	for _, tag := range tags {
		if again, err := text.Tag(tag); err != nil || again != tag {
			t.Fatalf("tag %+q: got %+q, %v", tag, again, err)
		}
	}
	got, err := text.Caption(s)
	if err != nil {
		if got != "" || kindOf(err) == "" {
			t.Fatalf("%+q: got %+q, %v, want a problem", s, got, err)
		}
		return
	}
	n := utf8.RuneCountInString(got)
	switch {
	case !utf8.ValidString(got), !norm.NFC.IsNormalString(got), n < 1, n > 200:
		t.Fatalf("%+q: got %+q of %d characters", s, got, n)
	case strings.ContainsFunc(got, refused), strings.TrimSpace(got) != got:
		t.Fatalf("%+q: got %+q, which holds what it must not", s, got)
	}
	if again, err := text.Caption(got); err != nil || again != got {
		t.Fatalf("of %+q: got %+q, %v, want the same", got, again, err)
	}
}

// refused says by number what the package says by property.
func refused(r rune) bool {
	return r < 0x20 || 0x7f <= r && r <= 0x9f || 0x202a <= r && r <= 0x202e || 0xfdd0 <= r && r <= 0xfdef || r&0xffff >= 0xfffe
}

package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	tagsMax = 10
	tagMax  = 50
)

var tag = handle{bounds{noun: "tag", min: 1, max: tagMax}, inTag, "letters, digits and _"}

// Tag is a word in lower case; one # before it is dropped. Case goes rune by
// rune, so that a tag means the same in every language.
func Tag(s string) (string, error) {
	s = strings.TrimPrefix(strings.TrimSpace(s), "#")
	s = norm.NFC.String(strings.ToLower(norm.NFC.String(s)))
	if first, _ := utf8.DecodeRuneInString(s); unicode.IsMark(first) {
		return "", problem(InvalidText, "the tag begins with a mark that has no letter")
	}
	return tag.normal(s)
}

// Tags is each tag of a poll once: first those given, of which one text may
// hold several with commas between, then the #words of the caption as far as
// there is room. A caption is never refused for its #words.
func Tags(given []string, caption string) ([]string, error) {
	tags := []string{}
	seen := map[string]bool{} // there may be thousands, which are counted before they are refused
	add := func(t string) {
		if !seen[t] {
			seen[t] = true
			tags = append(tags, t)
		}
	}
	for _, list := range given {
		for word := range strings.SplitSeq(list, ",") {
			if strings.TrimSpace(word) == "" {
				continue
			}
			t, err := Tag(word)
			if err != nil {
				return nil, err
			}
			add(t)
		}
	}
	if len(tags) > tagsMax {
		return nil, problem(TooLong, "there are %d tags; at most %d are allowed", len(tags), tagsMax)
	}
	for _, t := range hashWords(caption) {
		if len(tags) == tagsMax {
			break
		}
		add(t)
	}
	return tags, nil
}

// hashWords finds the words that begin with #. In a#b, &#39; and the fragment
// of an address it does not begin one.
func hashWords(caption string) []string {
	var words []string
	before := ' '
	for i, r := range caption {
		if r == '#' && !inTag(before) && !strings.ContainsRune("#&/", before) {
			rest := caption[i+1:]
			end := strings.IndexFunc(rest, func(r rune) bool { return !inTag(r) })
			if end < 0 {
				end = len(rest)
			}
			if t, err := Tag(rest[:end]); err == nil {
				words = append(words, t)
			}
		}
		before = r
	}
	return words
}

// inTag takes marks too: without them many scripts could write no word.
func inTag(r rune) bool {
	return r == '_' || unicode.IsLetter(r) && visible(r) || unicode.IsDigit(r) || unicode.IsMark(r) && !ignorable(r)
}

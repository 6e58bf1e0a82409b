package stats

import (
	"fmt"
	"strings"
)

// Tags are the tags of every statistic, sorted by key: EXTRA_TAGS.
type Tags []Tag

// UnmarshalText reads "key:value,key:value". Brackets around a pair, as in
// "<key:value>", are taken off. A pair with an empty value is left out. Its
// errors name EXTRA_TAGS, since the reader of the environment names only the
// field.
func (t *Tags) UnmarshalText(text []byte) error {
	tags, err := ParseTags(string(text))
	if err != nil {
		return fmt.Errorf("EXTRA_TAGS: %w", err)
	}
	*t = tags
	return nil
}

// ParseTags reads "key:value,key:value" as UnmarshalText does.
func ParseTags(text string) (Tags, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	var tags []Tag
	for pair := range strings.SplitSeq(text, ",") {
		bare := strings.TrimSpace(pair)
		bare = strings.TrimSuffix(strings.TrimPrefix(bare, "<"), ">")
		key, value, found := strings.Cut(bare, ":")
		if !found || key == "" || strings.Contains(value, ":") {
			return nil, fmt.Errorf("%q is not a tag: write key:value with exactly one colon, and commas between tags", pair)
		}
		tags = append(tags, Tag{key, value})
	}
	return sortedTags(tags), nil
}

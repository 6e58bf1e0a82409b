package dogstatsd

import (
	"regexp"
	"strconv"

	"stoa/internal/stats"
)

// Mogrifier turns a name that fits its pattern into another name and tags.
// In the new name and in the values of tags, $0, $1 and so on stand for what
// the groups of the pattern found. A number the pattern does not have stays as
// it is written.
type Mogrifier struct {
	Pattern *regexp.Regexp // may fit anywhere in the name
	Name    string
	Tags    stats.Tags
}

// Apply returns the new name and the tags, or false where the pattern does not
// fit.
func (m Mogrifier) Apply(name string) (string, []stats.Tag, bool) {
	groups := m.Pattern.FindStringSubmatch(name)
	if groups == nil {
		return "", nil, false
	}
	tags := make([]stats.Tag, 0, len(m.Tags))
	for _, t := range m.Tags {
		tags = append(tags, stats.Tag{Key: t.Key, Value: substitute(t.Value, groups)})
	}
	return substitute(m.Name, groups), tags, true
}

var groupNumber = regexp.MustCompile(`\$\d+`)

func substitute(template string, groups []string) string {
	return groupNumber.ReplaceAllStringFunc(template, func(ref string) string {
		n, err := strconv.Atoi(ref[1:])
		if err != nil || n >= len(groups) {
			return ref
		}
		return groups[n]
	})
}

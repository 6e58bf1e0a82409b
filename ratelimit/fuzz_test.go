package ratelimit_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"stoa/ratelimit"
)

// FuzzParseYAML: whatever the file, it is read or refused with places to look at.
func FuzzParseYAML(f *testing.F) {
	files, _ := filepath.Glob("testdata/faults/*.yaml")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		"", "\ufeff", "---\n---\n", "? [a]\n: b\n", "{<<: {<<: [{domain: a}]}}", "&a [*a]", "!!map", "domain: !!binary x", "\xff", "a: 'b",
		tree, shop, exampleRules, bomb("{key: a}"), domain("{key: a, metadata: {x: 0x, y: .nan, z: [~]}}"),
		"domain: &d shop\ndescriptors: &l [{key: *d, rate_limit: &r {unit: day}}, {<<: *r, key: b, rate_limit: *r}]\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return
		}
		spec, err := ratelimit.ParseYAML("fuzz.yaml", text)
		wantFaults(t, err)
		_, err = ratelimit.NewRules([]ratelimit.DomainSpec{spec, spec}, true)
		wantFaults(t, err)
		rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{spec}, false)
		wantFaults(t, err)
		if err != nil {
			return
		}
		for rule := range rules.All() {
			if !rule.Unlimited && !rule.Limit.Valid() || !strings.HasPrefix(rule.Path, spec.Domain+".") {
				t.Errorf("rule %q: %v", rule.Path, rule.Limit)
			}
		}
	})
}

func wantFaults(t *testing.T, err error) {
	t.Helper()
	var faults ratelimit.Faults
	if err == nil {
		return
	}
	if !errors.As(err, &faults) || len(faults) == 0 {
		t.Fatalf("got %#v, want Faults", err)
	}
	for _, fault := range faults {
		if fault.At.File != "fuzz.yaml" || fault.At.Line < 1 || fault.At.Column < 1 || fault.Message == "" {
			t.Errorf("fault without a place or a text: %+v", fault)
		}
	}
}

// FuzzMatch compares wildcards with regular expressions.
func FuzzMatch(f *testing.F) {
	for _, seed := range [][2]string{
		{"*", ""}, {"a*", "abc"}, {"*a", "ba"}, {"a*a", "a"}, {"a*a", "aa"}, {"*ab*ab*", "abab"}, {"*ab*ab*", "ab"}, {"*a*a*", "a"}, {"a**b", "ab"}, {"a*b*c", "abcbc"},
		{"*aab", "aaab"}, {"a*", "A"}, {".*", "x"}, {"*\n*", "a\nb"}, {"ü*", "üü"}, {"*", "*"}, {"a*b", "a*b"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, value string) {
		if value == "" || !strings.Contains(pattern, "*") || !utf8.ValidString(pattern) || !utf8.ValidString(value) {
			return
		}
		rules, err := ratelimit.NewRules([]ratelimit.DomainSpec{{Domain: "shop", Descriptors: []ratelimit.DescriptorSpec{
			{Key: "value", Value: pattern, Limit: &ratelimit.LimitSpec{Unit: "day"}},
			{Key: "key_" + pattern, Limit: &ratelimit.LimitSpec{Unit: "day"}},
		}}}, false)
		if err != nil {
			t.Fatal(err)
		}
		e, err := rules.Explain(&ratelimit.Request{Domain: "shop", Descriptors: []ratelimit.Descriptor{
			{Entries: []ratelimit.Entry{{Key: "value", Value: value}}},
			{Entries: []ratelimit.Entry{{Key: "key_" + value}}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		want := "no_rule"
		if regexp.MustCompile(`^(?s:` + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, `.*`) + `)$`).MatchString(value) {
			want = "limit"
		}
		equal(t, "as value", e.Descriptors[0].Result, want)
		equal(t, "as key", e.Descriptors[1].Result, want)
	})
}

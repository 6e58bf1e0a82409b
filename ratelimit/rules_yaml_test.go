package ratelimit_test

import (
	"fmt"
	"strings"
	"testing"

	"stoa/ratelimit"
)

// check loads files as one set and returns all faults, one a line.
func check(merge bool, files ...string) string {
	var specs []ratelimit.DomainSpec
	var lines []string
	for i, text := range files {
		spec, err := ratelimit.ParseYAML(fmt.Sprintf("%d.yaml", i+1), []byte(text))
		if err != nil {
			lines = append(lines, err.Error())
			continue
		}
		specs = append(specs, spec)
	}
	if _, err := ratelimit.NewRules(specs, merge); err != nil {
		lines = append(lines, err.Error())
	}
	return strings.Join(lines, "\n")
}

// In the table § marks the place of the fault; without one it is the start.
func TestWhatRejectsASet(t *testing.T) {
	const units = "want one of second, minute, hour, day, week, month, year"
	const number = "error loading config file: want a whole number from 0 to 4294967295, got "
	for _, test := range []struct{ name, yaml, want string }{
		{"yaml error", "domain: [\n", "error loading config file: did not find expected node content"},
		{"root is a list", "- domain: shop\n", "error loading config file: want a map with domain and descriptors at the top"},
		{"root is text", "shop\n", "error loading config file: want a map with domain and descriptors at the top"},
		{"negative number", limit("unit: day, requests_per_unit: §-1"), number + `"-1"`},
		{"number above uint32", limit("unit: day, requests_per_unit: §4294967296"), number + `"4294967296"`},
		{"number above uint64", limit("unit: day, requests_per_unit: §99999999999999999999"), number + `"99999999999999999999"`},
		{"text for a number", limit("unit: day, requests_per_unit: §many"), number + `"many"`},
		{"quoted text for a number", limit("unit: day, requests_per_unit: §'5'"), number + `"5"`},
		{"map for a number", limit("unit: day, requests_per_unit: §{}"), number + `"a list or a map"`},
		{"text for a bool", domain("{key: a, shadow_mode: §maybe}"), `error loading config file: want true or false, got "maybe"`},
		{"quoted bool", domain("{key: a, quota_mode: §'true'}"), `error loading config file: want true or false, got "true"`},
		{"number for a bool", domain("{key: a, detailed_metric: §1}"), `error loading config file: want true or false, got "1"`},
		{"map for text", domain("{key: §{}}"), "error loading config file: want text"},
		{"map for a list", "domain: shop\ndescriptors: §{key: a}\n", "error loading config file: want a list of maps"},
		{"text for a map", domain("{key: a, rate_limit: §much}"), "error loading config file: rate_limit: want a map"},
		{"unknown key at the top", "domain: shop\n§domains: x\n", "config error, unknown key 'domains'"},
		{"unknown key deep down", domain("{key: a, descriptors: [{key: b, rate_limit: {unit: day, §per: 5}}]}"), "config error, unknown key 'per'"},
		{"algorithm is not a key yet", limit("unit: day, §algorithm: sliding_window"), "config error, unknown key 'algorithm'"},
		{"number as key", domain("{key: a, §5: b}"), "config error, key is not of type string: 5"},
		{"bool as key", domain("{key: a, §true: b}"), "config error, key is not of type string: true"},
		{"list as key", domain("{key: a, §[b]: c}"), "config error, key is not of type string: a list or a map"},
		{"list of text", domain("§hello"), "config error, yaml file contains list of type other than map: hello"},
		{"list of lists", domain("§[a]"), "config error, yaml file contains list of type other than map: a list or a map"},
		{"list with a hole", "domain: shop\ndescriptors:\n-§\n", "config error, yaml file contains list of type other than map: "},
		{"replaces as list of text", limit("unit: day, replaces: [§b]"), "config error, yaml file contains list of type other than map: b"},
		{"float", domain("{key: a, value: §1.5}"), "error checking config: value: 1.5 is neither text, a whole number nor a bool; quote it"},
		{"float for a number", limit("unit: day, requests_per_unit: §1.0"), "error checking config: requests_per_unit: 1.0 is neither text, a whole number nor a bool; quote it"},
		{"infinity", domain("{key: §.inf}"), "error checking config: key: .inf is neither text, a whole number nor a bool; quote it"},
		{"binary", domain("{key: §!!binary aGk=}"), "error checking config: key: aGk= is neither text, a whole number nor a bool; quote it"},
		{"empty domain", "domain: ''\n", "config file cannot have empty domain"},
		{"no domain", "descriptors: []\n", "config file cannot have empty domain"},
		{"empty file", "", "config file cannot have empty domain"},
		{"comment only", "# nothing yet\n", "config file cannot have empty domain"},
		{"empty key", domain("§{key: '', value: a}"), "descriptor has empty key"},
		{"no key", domain("§{value: a}"), "descriptor has empty key"},
		{"same node twice", domain("{key: a}", "§{key: a}"), "duplicate descriptor composite key 'shop.a'"},
		{"same node twice, with value, below", domain("{key: p, descriptors: [{key: a, value: b}, §{key: a, value: b}]}"), "duplicate descriptor composite key 'shop.p.a_b'"},
		{"no unit", markedLimit("requests_per_unit: 5"), "invalid rate limit unit '', " + units},
		{"empty limit", markedLimit(""), "invalid rate limit unit '', " + units},
		{"unknown unit", markedLimit("unit: fortnight"), "invalid rate limit unit 'fortnight', " + units},
		{"multiplier 0", markedLimit("unit: day, unit_multiplier: 0"), "invalid unit_multiplier '0', want at least 1 and a window of at most 100 years"},
		{"window over 100 years", markedLimit("unit: year, unit_multiplier: 101"), "invalid unit_multiplier '101', want at least 1 and a window of at most 100 years"},
		{"window over 100 years in seconds", markedLimit("unit: second, unit_multiplier: 3153600001"), "invalid unit_multiplier '3153600001', want at least 1 and a window of at most 100 years"},
		{"negative multiplier", limit("unit: day, unit_multiplier: §-5"), number + `"-5"`},
		{"unlimited with a unit", markedLimit("unlimited: true, unit: day"), "should not specify rate limit unit when unlimited"},
		{"empty replaces name", markedLimit("unit: day, replaces: [{name: ''}]"), "should not have an empty replaces entry"},
		{"replaces itself", markedLimit("unit: day, name: x, replaces: [{name: x}]"), "replaces should not contain name of same descriptor, 'x'"},
		{"share_threshold without a star", domain("§{key: a, value: b, share_threshold: true}"), "share_threshold can only be used with wildcard values, 'a_b' has no *"},
		{"metadata is text", domain("{key: a, metadata: §hello}"), "error parsing metadata: want a map"},
		{"metadata with a number as key", domain("{key: a, metadata: §{1: x}}"), `error parsing metadata: key "1" is not text`},
		{"metadata with infinity", domain("{key: a, metadata: §{x: .inf}}"), "error parsing metadata: .inf is no number that JSON has"},
		{"key twice in a map", domain("{key: a, §key: b}"), "error loading config file: key 'key' stands twice in a map"},
		{"two documents", "domain: shop\n§---\ndomain: other\n", "error loading config file: more than one YAML document, want one per file"},
		{"second document broken", "domain: shop\n---\n§[\n", "error loading config file: did not find expected node content"},
		{"tab as indent", "domain: shop\ndescriptors:\n§\t- key: a\n", "error loading config file: found character that cannot start any token"},
		{"not UTF-8", "domain: \xff\xfe\n", "error loading config file: invalid leading UTF-8 octet"},
		{"anchor that is not there", "domain: *a\n", "error loading config file: unknown anchor 'a' referenced"},
		{"anchor that contains itself", "domain: shop\ndescriptors: &a [{key: k, descriptors: §*a}]\n", "error loading config file: anchor 'a' contains itself"},
		{"merge of text", domain("{<<: §hello, key: a}"), "error loading config file: << wants a map or a list of maps"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, at := cutMark(test.yaml)
			if got, want := check(false, text), at+test.want; got != want {
				t.Errorf("\ngot  %s\nwant %s", got, want)
			}
		})
	}
}

// limit is a file whose only rate_limit holds the given fields.
func limit(fields string) string { return domain("{key: a, rate_limit: {" + fields + "}}") }

// markedLimit is limit with the rate_limit itself as the place of the fault.
func markedLimit(fields string) string { return strings.Replace(limit(fields), "t: {", "t: §{", 1) }

// cutMark takes the § out of a text and says where it stood, or else the start.
func cutMark(text string) (without, at string) {
	before, after, found := strings.Cut(text, "§")
	if !found {
		return text, "1.yaml:1:1: "
	}
	line := strings.Count(before, "\n")
	column := len(before) - strings.LastIndex(before, "\n")
	return before + after, fmt.Sprintf("1.yaml:%d:%d: ", line+1, column)
}

func TestFilesOfOneSet(t *testing.T) {
	a := domain("{key: a, value: '1'}")
	for _, test := range []struct {
		name  string
		merge bool
		files []string
		want  string
	}{
		{"domain in two files", false, []string{a, domain("{key: b}")}, "2.yaml:1:1: duplicate domain 'shop' in config file"},
		{"domain in two files, merged", true, []string{a, domain("{key: b}")}, ""},
		{"same node in two merged files", true, []string{a, domain("{key: b}", a[strings.Index(a, "{"):])}, "2.yaml:4:3: duplicate descriptor composite key 'shop.a_1'"},
		{"children of merged files are not joined", true, []string{domain("{key: a, descriptors: [{key: b}]}"), domain("{key: a, descriptors: [{key: c}]}")}, "2.yaml:3:3: duplicate descriptor composite key 'shop.a'"},
		{"two domains", false, []string{a, "domain: other\n"}, ""},
		{"no files", false, nil, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			equal(t, "faults", check(test.merge, test.files...), test.want)
		})
	}
}

func TestGrammarAccepts(t *testing.T) {
	for _, test := range []struct{ name, yaml string }{
		{"no descriptors", "domain: shop\n"},
		{"empty descriptors", "domain: shop\ndescriptors:\n"},
		{"valid keys in wrong places", domain("{key: a, unit: x, domain: y, rate_limit: {unit: day, shadow_mode: perhaps, descriptors: []}}")},
		{"unlimited with an unknown unit", limit("unlimited: true, unit: fortnight")},
		{"unlimited beside a multiplier", limit("unlimited: true, unit_multiplier: 0")},
		{"window of exactly 100 years", limit("unit: year, unit_multiplier: 100")},
		{"anything in metadata", domain("{key: a, metadata: {what: 1.5, list: [x, 2, null], deep: {unknown_key: true}}}")},
		{"byte order mark", "\ufeff" + domain("{key: a}")},
		{"windows line ends", strings.ReplaceAll(domain("{key: a, "+perHour+"}"), "\n", "\r\n")},
		{"document marks", "%YAML 1.1\n---\n" + domain("{key: a}") + "...\n"},
		{"a last document mark", domain("{key: a}") + "---\n# the end\n"},
		{"a date as value", domain("{key: a, value: 2026-01-02}")},
		{"tabs between tokens", domain("{key:\ta}")},
	} {
		t.Run(test.name, func(t *testing.T) {
			equal(t, "faults", check(false, test.yaml), "")
		})
	}
}

package dogstatsd

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
)

func TestMogrifierSubstitutesGroups(t *testing.T) {
	for _, tt := range []struct {
		name, pattern, newName, tag string
		in                          string
		wantName, wantTag           string
		wantFit                     bool
	}{
		{"groups", `^limit\.(.*)\.(.*)\.(\w+)$`, "limit.$3", "$1/$2", "limit.shop.path.over", "limit.over", "shop/path", true},
		{"whole match", `shop\.\w+`, "[$0]", "$0", "limit.shop.path.over", "[shop.path]", "shop.path", true},
		{"anywhere in the name", `shop`, "x", "y", "limit.shop.path", "x", "y", true},
		{"unknown number stays", `(shop)`, "$1.$2.$10", "$9", "limit.shop", "shop.$2.$10", "$9", true},
		{"two digits are one number", strings.Repeat(`(.)`, 10), "$10$1", "t", "abcdefghijk", "ja", "t", true},
		{"number too large for an int", `(shop)`, "$99999999999999999999", "t", "shop", "$99999999999999999999", "t", true},
		{"group that took no part", `shop(x)?`, "a$1b", "t", "shop", "ab", "t", true},
		{"value with a dollar is not read again", `(.*)`, "$1", "t", "$0$1", "$0$1", "t", true},
		{"no fit", `^shop`, "x", "y", "limit.shop", "", "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := Mogrifier{regexp.MustCompile(tt.pattern), tt.newName, stats.Tags{{Key: "k", Value: tt.tag}}}
			name, tags, fits := m.Apply(tt.in)
			if name != tt.wantName || fits != tt.wantFit {
				t.Errorf("got %q, %v want %q, %v", name, fits, tt.wantName, tt.wantFit)
			}
			if fits && tags[0] != (stats.Tag{Key: "k", Value: tt.wantTag}) {
				t.Errorf("got tag %v want k:%s", tags[0], tt.wantTag)
			}
		})
	}
}

func FuzzSubstitute(f *testing.F) {
	f.Add("$0.$1.$2", "a", "b")
	f.Add("$", "$1", "")
	f.Add("$$1$01$-1$+1", "x", "y")
	f.Add("$00000000000000000000000001", "x", "y")
	f.Fuzz(func(t *testing.T, template, zero, one string) {
		got := substitute(template, []string{zero, one})
		if !groupNumber.MatchString(template) && got != template {
			t.Errorf("substitute(%q): got %q want it unchanged", template, got)
		}
		// Groups that are their own references leave numbers 0 and 1 as written,
		// whatever else there is.
		same := substitute(template, []string{"$0", "$1"})
		if canonical := regexp.MustCompile(`\$0*([01])(\D|$)`); !canonical.MatchString(template) && same != template {
			t.Errorf("substitute(%q): got %q want it unchanged", template, same)
		}
	})
}

func TestMogrifiersFromEnvironment(t *testing.T) {
	type simple struct {
		Pattern, Name string
		Tags          stats.Tags
	}
	for _, tt := range []struct {
		name    string
		environ map[string]string
		want    []simple
	}{
		{"none", map[string]string{"DOG_STATSD_MOGRIFIERS": "", "USE_DOG_STATSD_MOGRIFIERS": ""}, nil},
		{"first spelling", map[string]string{
			"USE_DOG_STATSD_MOGRIFIERS":       "B,A",
			"DOG_STATSD_MOGRIFIER_A_PATTERN":  "a(.*)",
			"DOG_STATSD_MOGRIFIER_A_NAME":     "na",
			"DOG_STATSD_MOGRIFIER_A_TAGS":     "y:$1,x:2",
			"DOG_STATSD_MOGRIFIER_B_PATTERN":  "b",
			"DOG_STATSD_MOGRIFIER_B_NAME":     "nb",
			"DOG_STATSD_MOGRIFIERS_B_PATTERN": "", // set to nothing: not set
		}, []simple{{"b", "nb", nil}, {"a(.*)", "na", stats.Tags{{Key: "x", Value: "2"}, {Key: "y", Value: "$1"}}}}},
		{"second spelling", map[string]string{
			"DOG_STATSD_MOGRIFIERS":           " A ",
			"DOG_STATSD_MOGRIFIERS_A_PATTERN": "a",
			"DOG_STATSD_MOGRIFIERS_A_NAME":    "na",
		}, []simple{{"a", "na", nil}}},
		{"mixed, listed twice, lower case", map[string]string{
			"USE_DOG_STATSD_MOGRIFIERS":        "tag",
			"DOG_STATSD_MOGRIFIERS":            "tag,B",
			"DOG_STATSD_MOGRIFIERS_TAG_NAME":   "n",
			"DOG_STATSD_MOGRIFIER_TAG_PATTERN": "p",
			"DOG_STATSD_MOGRIFIERS_B_PATTERN":  "b",
			"DOG_STATSD_MOGRIFIER_B_NAME":      "nb",
		}, []simple{{"p", "n", nil}, {"b", "nb", nil}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mogrifiers, err := Mogrifiers(tt.environ)
			if err != nil {
				t.Fatal(err)
			}
			var got []simple
			for _, m := range mogrifiers {
				got = append(got, simple{m.Pattern.String(), m.Name, m.Tags})
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMogrifierErrorsNameTheVariable(t *testing.T) {
	for _, tt := range []struct {
		name    string
		environ map[string]string
		want    []string
	}{
		{"nothing defined", map[string]string{"DOG_STATSD_MOGRIFIERS": "A"},
			[]string{"DOG_STATSD_MOGRIFIER_A_PATTERN is not set", "DOG_STATSD_MOGRIFIER_A_NAME is not set"}},
		{"no name", map[string]string{"DOG_STATSD_MOGRIFIERS": "A", "DOG_STATSD_MOGRIFIER_A_PATTERN": "a", "DOG_STATSD_MOGRIFIER_A_NAME": ""},
			[]string{"DOG_STATSD_MOGRIFIER_A_NAME is not set"}},
		{"broken pattern", map[string]string{"DOG_STATSD_MOGRIFIERS": "A", "DOG_STATSD_MOGRIFIERS_A_PATTERN": "(", "DOG_STATSD_MOGRIFIER_A_NAME": "n"},
			[]string{"DOG_STATSD_MOGRIFIERS_A_PATTERN: ", "missing closing )"}},
		{"broken tags", map[string]string{"DOG_STATSD_MOGRIFIERS": "A", "DOG_STATSD_MOGRIFIERS_A_PATTERN": "p", "DOG_STATSD_MOGRIFIER_A_NAME": "n", "DOG_STATSD_MOGRIFIERS_A_TAGS": "x"},
			[]string{"DOG_STATSD_MOGRIFIERS_A_TAGS: ", `"x"`}},
		{"two colons", map[string]string{"DOG_STATSD_MOGRIFIERS": "A", "DOG_STATSD_MOGRIFIERS_A_PATTERN": "p", "DOG_STATSD_MOGRIFIER_A_NAME": "n", "DOG_STATSD_MOGRIFIERS_A_TAGS": "x:y:z"},
			[]string{"DOG_STATSD_MOGRIFIERS_A_TAGS: ", "exactly one colon"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Mogrifiers(tt.environ)
			if err == nil || got != nil {
				t.Fatalf("got %v, %v want nil and an error", got, err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q want it to contain %q", err, want)
				}
			}
		})
	}
}

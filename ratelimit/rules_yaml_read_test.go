package ratelimit_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"

	"stoa/ratelimit"
)

func read(t *testing.T, yaml string) ratelimit.DomainSpec {
	t.Helper()
	spec, err := ratelimit.ParseYAML("shop.yaml", []byte(yaml))
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

func TestScalarsAreTheTextThatIsWritten(t *testing.T) {
	for _, test := range []struct{ written, want string }{
		{"abc", "abc"}, {"'1.5'", "1.5"}, {`"a\tb"`, "a\tb"},
		{"007", "007"}, {"0x1F", "0x1F"}, {"1_000", "1_000"}, {"08", "08"}, {"-5", "-5"}, {"+5", "+5"},
		{"99999999999999999999", "99999999999999999999"},
		{"true", "true"}, {"Yes", "Yes"}, {"off", "off"}, {"y", "y"},
		{"2026-01-02", "2026-01-02"}, {"10:30", "10:30"}, {"1.2.3.4", "1.2.3.4"},
		{"null", ""}, {"~", ""}, {"", ""}, {"'null'", "null"},
		{"/a*", "/a*"}, {"ünïcode", "ünïcode"}, {"!!str 1.5", "1.5"},
	} {
		t.Run(test.written, func(t *testing.T) {
			spec := read(t, "domain: shop\ndescriptors:\n- key: a\n  value: "+test.written+"\n")
			equal(t, "value", spec.Descriptors[0].Value, test.want)
		})
	}
}

func TestNumbersOfYAML11(t *testing.T) {
	for _, test := range []struct {
		written string
		want    uint32
	}{
		{"0", 0}, {"5", 5}, {"+5", 5}, {"1_000", 1000}, {"0x1F", 31}, {"017", 15}, {"0b101", 5},
		{"4294967295", 4294967295}, {"~", 0}, {"", 0},
	} {
		t.Run(test.written, func(t *testing.T) {
			spec := read(t, "domain: shop\ndescriptors:\n- key: a\n  rate_limit:\n    unit: day\n    requests_per_unit: "+test.written+"\n")
			equal(t, "requests", spec.Descriptors[0].Limit.Requests, test.want)
		})
	}
}

func TestBoolsOfYAML11(t *testing.T) {
	for written, want := range map[string]bool{
		"true": true, "True": true, "TRUE": true, "yes": true, "Yes": true, "on": true, "ON": true, "y": true, "Y": true,
		"false": false, "no": false, "NO": false, "off": false, "n": false, "~": false, "": false,
	} {
		t.Run(written, func(t *testing.T) {
			spec := read(t, "domain: shop\ndescriptors:\n- key: a\n  shadow_mode: "+written+"\n  metadata: {m: "+written+"}\n")
			equal(t, "shadow_mode", spec.Descriptors[0].Shadow, want)
			if inside, ok := spec.Descriptors[0].Metadata["m"].(bool); ok {
				equal(t, "in metadata", inside, want)
			} else if want {
				t.Errorf("in metadata: got %T, want a bool", spec.Descriptors[0].Metadata["m"])
			}
		})
	}
}

func TestUnitsInAnyLetterCase(t *testing.T) {
	for written, want := range map[string]ratelimit.Unit{
		"second": ratelimit.Second, "Minute": ratelimit.Minute, "HOUR": ratelimit.Hour, "dAy": ratelimit.Day,
		"week": ratelimit.Week, "MONTH": ratelimit.Month, "year": ratelimit.Year,
	} {
		for rule := range parse(t, domain("{key: a, rate_limit: {unit: "+written+"}}")).All() {
			equal(t, written, rule.Limit, ratelimit.Limit{Unit: want, Multiplier: 1})
		}
	}
}

func TestMetadataIsReadAsJSONWouldHoldIt(t *testing.T) {
	spec := read(t, `
domain: shop
descriptors:
- key: a
  metadata:
    int: 5
    hex: 0x10
    float: 1.5
    quoted: "yes"
    day: 2026-01-02
    nothing: ~
    list: [1, two, {three: 3}]
`)
	got, err := json.Marshal(spec.Descriptors[0].Metadata)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "metadata", string(got),
		`{"day":"2026-01-02","float":1.5,"hex":16,"int":5,"list":[1,"two",{"three":3}],"nothing":null,"quoted":"yes"}`)
}

func TestAnchorsAndMergeKeys(t *testing.T) {
	spec := read(t, `
domain: &name shop
descriptors:
- &base
  key: a
  value: *name
  rate_limit: &slow {unit: day, requests_per_unit: 1}
- <<: *base
  key: b
  shadow_mode: true
- <<: [{key: c, quota_mode: true}, *base]
  rate_limit: {<<: *slow, requests_per_unit: 2}
`)
	var got []string
	for _, d := range spec.Descriptors {
		got = append(got, fmt.Sprintf("%s=%s %d/%s %t %t", d.Key, d.Value, d.Limit.Requests, d.Limit.Unit, d.Shadow, d.Quota))
	}
	want := []string{"a=shop 1/day false false", "b=shop 1/day true false", "c=shop 2/day false true"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPositionsPointAtTheText(t *testing.T) {
	for _, test := range []struct{ name, text string }{
		{"plain", "domain: shop\ndescriptors:\n  - key: a\n"},
		{"byte order mark", "\ufeffdomain: shop\ndescriptors:\n  - key: a\n"},
		{"windows line ends", "domain: shop\r\ndescriptors:\r\n  - key: a\r\n"},
		{"umlauts before it", "domain: ü\ndescriptors:\n  - key: a\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			equal(t, "position", read(t, test.text).Descriptors[0].At.String(), "shop.yaml:3:5")
		})
	}
}

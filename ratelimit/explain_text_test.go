package ratelimit_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"stoa/internal/goldentest"
	"stoa/ratelimit"
)

func TestExplainInText(t *testing.T) {
	for _, test := range []struct {
		name, rules, before, ask string
		options                  []func(*ratelimit.Options)
	}{
		{"over", exampleRules, "path=/api,user=u1 +100", "path=/api,user=u1", nil},
		{"results", shop, "", "one; free; named; replacer; color=red; whitelisted; one,two", nil},
		{"hits_given_back", shop, "two +5", "two -4", nil},
		{"spared", shop, "one", "one; two +2", []func(*ratelimit.Options){stop}},
		{"known_over", shop, "one +2", "one", []func(*ratelimit.Options){known}},
		{"shadow", shop, "shadow; quota", "shadow; quota", []func(*ratelimit.Options){shadow}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, test.rules, test.options...)
				atExample()
				if test.before != "" {
					b.ask(t, test.before)
				}
				goldentest.Check(t, "testdata/explain/"+test.name+".golden", text(t, b.explain(t, request(test.ask))))
			})
		})
	}
}

// text is what somebody reads who got the explanation from another process.
func text(t *testing.T, e *ratelimit.Explanation) string {
	t.Helper()
	far := new(ratelimit.Explanation)
	if err := json.Unmarshal([]byte(asJSON(t, e)), far); err != nil {
		t.Fatal(err)
	}
	var w strings.Builder
	if err := far.WriteText(&w); err != nil {
		t.Fatal(err)
	}
	return w.String()
}

func TestExplainInTextWithoutACount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, shop)
		atExample()
		b.counter.err = errors.New("connection refused")
		r := request("one")
		r.Descriptors = append(r.Descriptors, withOverride("color=red", ratelimit.Limit{Requests: 1, Unit: ratelimit.Day}).Descriptors...)
		goldentest.Check(t, "testdata/explain/count_error.golden", text(t, b.explain(t, r)))
	})
}

func TestExplainByTheRulesAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := parse(t, exampleRules).Explain(request("path=/api,user=u1; path=/api"))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "fields", fields(t, e), "entries result reason levels rule")
		goldentest.Check(t, "testdata/explain/offline.golden", text(t, e))
	})
}

package ratelimit_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/ratelimit"
)

// exampleRules puts the nodes where the expected positions say.
const exampleRules = `domain: shop
descriptors:
  # what people see
  - key: path
    value: /a*
    descriptors:
      - key: user
        rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 100}
`

// atExample moves a bubble's clock to 42 seconds before 2026-11-15T00:05:00Z.
func atExample() {
	time.Sleep(time.Until(time.Date(2026, 11, 15, 0, 4, 18, 0, time.UTC)))
}

func (b *bench) explain(t *testing.T, r *ratelimit.Request) *ratelimit.Explanation {
	t.Helper()
	e, err := b.Explain(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestExplainInJSON(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, exampleRules)
		atExample()
		b.ask(t, "path=/api,user=u1 +100")
		e := b.explain(t, request("path=/api,user=u1"))
		e.Backend = "redis"
		want := `{"domain": "shop", "domainKnown": true, "overallCode": "OVER_LIMIT", "backend": "redis", "globalShadowMode": false,
 "descriptors": [{
   "entries": [{"key": "path", "value": "/api"}, {"key": "user", "value": "u1"}],
   "result": "limit", "reason": "count 101 after this call is over 100 per 5 minutes",
   "levels": [
     {"tried": [{"node": "path_/api", "kind": "exact", "matched": false, "reason": "not in the rules"},
                {"node": "path_/a*", "kind": "wildcard", "matched": true, "file": "shop.yaml", "line": 4, "column": 5}]},
     {"tried": [{"node": "user_u1", "kind": "exact", "matched": false, "reason": "not in the rules"},
                {"node": "user", "kind": "key", "matched": true, "file": "shop.yaml", "line": 7, "column": 9}]}],
   "rule": {"path": "shop.path_/a*.user", "file": "shop.yaml", "line": 7, "column": 9, "requestsPerUnit": 100, "unit": "MINUTE",
            "unitMultiplier": 5, "name": "", "shadowMode": false, "quotaMode": false, "replaces": []},
   "key": "shop_path_/api_user_u1_1794700800/300", "count": 100, "hits": 1, "code": "OVER_LIMIT", "limitRemaining": 0,
   "resetsAt": "2026-11-15T00:05:00Z", "durationUntilReset": "42s", "knownOver": false}]}`
		var got, wanted any
		json.Unmarshal([]byte(asJSON(t, e)), &got)
		if err := json.Unmarshal([]byte(want), &wanted); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, wanted) {
			t.Errorf("got\n%s\nwant\n%s", asJSON(t, got), asJSON(t, wanted))
		}
	})
}

// fields lists the JSON fields of the first descriptor.
func fields(t *testing.T, e *ratelimit.Explanation) string {
	var all struct{ Descriptors []map[string]any }
	json.Unmarshal([]byte(asJSON(t, e)), &all)
	var names []string
	for _, name := range []string{
		"entries", "result", "reason", "replacedBy", "levels", "rule", "override", "key", "count", "countError", "hits",
		"code", "limitRemaining", "resetsAt", "durationUntilReset", "knownOver",
	} {
		if _, ok := all.Descriptors[0][name]; ok {
			names = append(names, name)
			delete(all.Descriptors[0], name)
		}
	}
	for name := range all.Descriptors[0] {
		names = append(names, "unexpected "+name)
	}
	return strings.Join(names, " ")
}

func TestExplainHasTheFieldsOfItsResult(t *testing.T) {
	const counted = " key count hits code limitRemaining resetsAt durationUntilReset knownOver"
	elsewhere := request("one")
	elsewhere.Domain = "elsewhere"
	for _, test := range []struct {
		name                 string
		r                    *ratelimit.Request
		result, want, reason string
	}{
		{"limit", request("one"), "limit", "entries result reason levels rule" + counted, "count 1 after this call is within 1 per hour"},
		{"override", withOverride("one", ratelimit.Limit{Requests: 2, Unit: ratelimit.Day}), "override", "entries result reason override" + counted, "count 1 after this call is within 2 per day"},
		{"unlimited", request("free"), "unlimited", "entries result reason levels rule", "the rule is unlimited"},
		{"replaced", request("named; replacer"), "replaced", "entries result reason replacedBy levels rule", `its limit "n" is replaced by shop.replacer`},
		{"no rule", request("color=red"), "no_rule", "entries result reason levels", "color=red is not in the rules of shop"},
		{"no limit at the end", request("whitelisted"), "no_rule", "entries result reason levels", "shop.whitelisted has no limit"},
		{"no entries", request(""), "no_rule", "entries result reason", "the descriptor has no entries"},
		{"unknown domain", elsewhere, "unknown_domain", "entries result reason", `there are no rules for domain "elsewhere"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := open(t, shop).explain(t, test.r)
			equal(t, "result", e.Descriptors[0].Result, test.result)
			equal(t, "fields", fields(t, e), test.want)
			equal(t, "reason", e.Descriptors[0].Reason, test.reason)
			equal(t, "overall", e.OverallCode, "OK")
			equal(t, "domain known", e.DomainKnown, test.result != "unknown_domain")
		})
	}
}

func TestExplainListsCandidatesUpToTheMatch(t *testing.T) {
	b := open(t, tree)
	for _, test := range []struct{ ask, want string }{
		{"path=/a/exact", "exact +path_/a/exact"},
		{"path=/a/bc", "exact -path_/a/bc, wildcard +path_/a/b*"},
		{"path=/x/1/y/2/z", "exact -path_/x/1/y/2/z, wildcard -path_/a/b*, wildcard -path_/a/*, wildcard -path_*.png, wildcard +path_/x/*/y/*/z"},
		{"path=/a/c,user=u", "exact -path_/a/c, wildcard -path_/a/b*, wildcard +path_/a/* | exact -user_u, key +user"},
		{"group=g,color=red,user=u", "exact -group_g, wildcard -path_/a/b*, wildcard -path_/a/*, wildcard -path_*.png, wildcard -path_/x/*/y/*/z, " +
			"wildcard -tag_*, wildcard -x-*_v*, wildcard -ab_c*, wildcard -any_*, key +group | exact -color_red, key -color"},
		{"group,user", "wildcard -path_/a/b*, wildcard -path_/a/*, wildcard -path_*.png, wildcard -path_/x/*/y/*/z, " +
			"wildcard -tag_*, wildcard -x-*_v*, wildcard -ab_c*, wildcard -any_*, key +group | key +user"},
	} {
		t.Run(test.ask, func(t *testing.T) {
			var levels []string
			for _, level := range b.explain(t, request(test.ask)).Descriptors[0].Levels {
				var tried []string
				for _, n := range level.Tried {
					tried = append(tried, fmt.Sprintf("%s %s%s", n.Kind, map[bool]string{true: "+", false: "-"}[n.Matched], n.Node))
					equal(t, n.Node+" says why not", n.Reason == "", n.Matched)
				}
				levels = append(levels, strings.Join(tried, ", "))
			}
			equal(t, "tried", strings.Join(levels, " | "), test.want)
		})
	}
}

func TestExplainIsWhatDecideWouldAnswer(t *testing.T) {
	for _, test := range []struct {
		name, before, ask string
		options           []func(*ratelimit.Options)
	}{
		{"within", "", "two", nil},
		{"over", "one", "one", nil},
		{"shadow rule", "shadow", "shadow", nil},
		{"global shadow", "one", "one", []func(*ratelimit.Options){shadow}},
		{"quota", "quota=a", "quota=a; quota=b", nil},
		{"global quota", "one", "one; color=red", []func(*ratelimit.Options){quota}},
		{"global quota with unlimited", "one", "one; free", []func(*ratelimit.Options){quota}},
		{"own hits", "", "two +3", nil},
		{"a look", "one +2", "one +0", nil},
		{"hits given back", "two +5", "two -4", nil},
		{"the same key twice", "", "one; one", nil},
		{"given back and taken", "one", "one -1; one", nil},
		{"replaced", "", "named; replacer", nil},
		{"known over", "one +2", "one; two", []func(*ratelimit.Options){known}},
		{"stop increment", "one", "two; one", []func(*ratelimit.Options){stop}},
		{"stop increment, known over", "one +2", "two; one; two -1", []func(*ratelimit.Options){stop, known}},
		{"stop increment, same key twice", "", "one; one; two", []func(*ratelimit.Options){stop}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, shop, test.options...)
				if test.before != "" {
					b.ask(t, test.before)
				}
				e := b.explain(t, request(test.ask))
				d := b.decide(t, request(test.ask))
				equal(t, "overall", e.OverallCode, d.Code.String())
				for i, s := range d.Statuses {
					why := e.Descriptors[i]
					if !s.Limited {
						equal(t, fmt.Sprint(i, " code"), why.Code, "")
						continue
					}
					equal(t, fmt.Sprint(i, " code"), why.Code, s.Code.String())
					equal(t, fmt.Sprint(i, " remaining"), *why.Remaining, s.Remaining)
					equal(t, fmt.Sprint(i, " reset"), why.Reset, fmt.Sprintf("%ds", s.Reset))
				}
			})
		})
	}
}

// Another process gave hits back; this one remembers the key as over and refuses.
func TestExplainOfAKeyThatOnlyThisProcessHoldsForOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, shop, known)
		b.ask(t, "one=a +2")
		back := []ratelimit.Hit{{Key: []byte("shop_one_a_946684800"), Window: hour, Add: 2, Back: true}}
		if err := b.counter.Counter.Add(t.Context(), back); err != nil {
			t.Fatal(err)
		}
		e := b.explain(t, request("one=a")).Descriptors[0]
		equal(t, "code", e.Code, b.decide(t, request("one=a")).Code.String())
		equal(t, "count", *e.Count, 0)
		equal(t, "known over", *e.KnownOver, true)
		equal(t, "reason", e.Reason, "count 0 after this call is within 1 per hour, and this process remembers the key as over")
	})
}

func TestExplainChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, domain("{key: user, detailed_metric: true, rate_limit: {unit: hour, requests_per_unit: 1}}"), known, stop)
		b.ask(t, "user=over +2")
		r := request("user=over; user=new; user=over -1; color=red")
		r.Descriptors[3].Override = ratelimit.Limit{Requests: 1, Unit: ratelimit.Hour}
		before := b.everything()
		for range 3 {
			b.explain(t, r)
			b.explain(t, &ratelimit.Request{Domain: "ghost", Descriptors: r.Descriptors})
			b.Explain(t.Context(), &ratelimit.Request{})
		}
		equal(t, "statistics, gauges, keys", b.everything(), before)
		for key, want := range map[string]uint64{"shop_user_over_946684800": 2, "shop_user_new_946684800": 0} {
			equal(t, key, b.counter.count(t, key, hour), want)
		}
	})
}

// everything is every counter and gauge there is.
func (b *bench) everything() string {
	var lines []string
	s := b.stats.Snapshot()
	for _, c := range s.Counters {
		lines = append(lines, fmt.Sprintf("%s %d", c.ID().Name, c.Total()))
	}
	for _, g := range s.Gauges {
		lines = append(lines, fmt.Sprintf("%s %d", g.ID().Name, g.Value()))
	}
	return strings.Join(lines, "\n")
}

func TestExplainWithoutACount(t *testing.T) {
	b := open(t, shop)
	b.counter.err = errors.New("connection refused")
	e := b.explain(t, request("one; color=red"))
	equal(t, "fields", fields(t, e), "entries result reason levels rule key countError hits resetsAt durationUntilReset knownOver")
	equal(t, "countError", e.Descriptors[0].CountError, "connection refused")
	equal(t, "overall", strings.Contains(asJSON(t, e), "overallCode"), false)
	equal(t, "redis_error", b.stat("ratelimit.service.call.should_rate_limit.redis_error"), "0")
}

func TestExplainRefusesWhatDecideRefuses(t *testing.T) {
	b := open(t, "")
	for _, test := range []struct {
		r    ratelimit.Request
		want error
	}{
		{ratelimit.Request{}, ratelimit.ErrEmptyDomain},
		{ratelimit.Request{Domain: "shop"}, ratelimit.ErrNoDescriptors},
		{*request("one"), ratelimit.ErrNoRules},
	} {
		if _, err := b.Explain(t.Context(), &test.r); !errors.Is(err, test.want) {
			t.Errorf("got %v, want %v", err, test.want)
		}
	}
	equal(t, "service_error", b.stat("ratelimit.service.call.should_rate_limit.service_error"), "0")
}

package ratelimit_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"stoa/ratelimit"
)

const perHour = "rate_limit: {unit: hour, requests_per_unit: 9}"

// tree is one of each kind of node, so that the table can ask for the order.
var tree = domain(
	"{key: path, value: /a/b*, "+perHour+"}",
	"{key: path, value: /a/*, "+perHour+", descriptors: [{key: user, "+perHour+"}]}",
	"{key: path, value: /a/exact, "+perHour+"}",
	"{key: path, value: '*.png', "+perHour+"}",
	"{key: path, value: '/x/*/y/*/z', "+perHour+"}",
	"{key: path, "+perHour+", descriptors: [{key: method, value: GET, "+perHour+"}]}",
	"{key: group, descriptors: [{key: user, value: admin, "+perHour+"}, {key: user, descriptors: [{key: day, "+perHour+"}]}]}",
	"{key: 'tag_*', "+perHour+"}",
	"{key: 'x-*', value: 'v*', "+perHour+"}",
	"{key: ab, value: 'c*', "+perHour+"}",
	"{key: a_b, "+perHour+"}",
	"{key: bare, value: '', "+perHour+"}",
	"{key: Case, value: Sensitive, "+perHour+"}",
	"{key: any, value: '*', "+perHour+"}",
)

func TestMatchTakesExactThenWildcardsInOrderThenKey(t *testing.T) {
	b := open(t, tree)
	for _, test := range []struct{ name, ask, want string }{
		{"exact before a wildcard written earlier", "path=/a/exact", "shop.path_/a/exact"},
		{"first wildcard that fits", "path=/a/bc", "shop.path_/a/b*"},
		{"second wildcard when the first does not fit", "path=/a/c", "shop.path_/a/*"},
		{"star stands for nothing", "path=/a/b", "shop.path_/a/b*"},
		{"star in front", "path=/img/logo.png", "shop.path_*.png"},
		{"stars in the middle", "path=/x/1/y/2/z", "shop.path_/x/*/y/*/z"},
		{"stars in the middle, tail missing", "path=/x/1/y/2", "shop.path"},
		{"key alone", "path=/other", "shop.path"},
		{"key alone, no value asked", "path=", "shop.path"},
		{"an asked star is a plain character", "path=/a/*", "shop.path_/a/*"},
		{"star in a key", "tag_blue=1", "shop.tag_*"},
		{"star in a key, no value", "tag_blue", "shop.tag_*"},
		{"stars in key and value", "x-team=v2", "shop.x-*_v*"},
		{"stars in key and value, value missing", "x-team", ""},
		{"stars in key and value, other value", "x-team=w", ""},
		{"star alone takes any value", "any=thing", "shop.any_*"},
		{"star alone takes no empty value", "any=", ""},
		{"key and value never run together", "ab_c=", ""},
		{"a key with an underscore is no key and value", "a=b", ""},
		{"a key with an underscore", "a_b=1", "shop.a_b"},
		{"an empty value in the rules is none", "bare=x", "shop.bare"},
		{"letter case of the value", "Case=sensitive", ""},
		{"letter case of the key", "case=Sensitive", ""},
		{"unknown key", "color=red", ""},
		{"no entries", "", ""},
		{"node without a limit", "group=g", ""},
		{"limit in the middle of a longer descriptor", "path=/a/exact,user=u", ""},
		{"below a wildcard", "path=/a/c,user=u", "shop.path_/a/*.user"},
		{"no way back from an exact node", "path=/a/exact,user=u", ""},
		{"no way back from a wildcard", "path=/a/c,method=GET", ""},
		{"no way back from a deeper exact node", "group=g,user=admin,day=1", ""},
		{"below plain keys", "path=/p,method=GET", "shop.path.method_GET"},
		{"three levels", "group=g,user=u,day=1", "shop.group.user.day"},
		{"deeper than the rules", "group=g,user=u,day=1,hour=2", ""},
		{"entries in another order", "user=u,path=/a/c", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			equal(t, test.ask, path(b.decide(t, request(test.ask))), test.want)
		})
	}
}

func path(d *ratelimit.Decision) string {
	if rule := d.Statuses[0].Rule; rule != nil {
		return rule.Path
	}
	return ""
}

func TestMatchPrefersTheNodeThatSpellsAStar(t *testing.T) {
	b := open(t, domain("{key: path, value: '/*', "+perHour+"}", "{key: path, value: '/a*', "+perHour+"}"))
	equal(t, "path=/a*", path(b.decide(t, request("path=/a*"))), "shop.path_/a*")
	equal(t, "path=/ab", path(b.decide(t, request("path=/ab"))), "shop.path_/*")
}

// The clock of a bubble begins at 2000-01-01T00:00:00Z.
func TestCounterKeys(t *testing.T) {
	shared := domain(
		"{key: path, value: '/s/*', share_threshold: true, "+perHour+", descriptors: [{key: user, "+perHour+"}]}",
		"{key: path, value: '/d/*', "+perHour+"}",
		"{key: path, value: '/deep/*', share_threshold: true, descriptors: [{key: user, value: 'u*', share_threshold: true, "+perHour+"}]}",
		"{key: 'k*', share_threshold: true, "+perHour+"}",
		"{key: multi, rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 9}}",
		"{key: one, rate_limit: {unit: minute, unit_multiplier: 1, requests_per_unit: 9}}",
		"{key: plain, "+perHour+", descriptors: [{key: plain, "+perHour+"}]}",
	)
	for _, test := range []struct{ name, prefix, ask, want string }{
		{"value of the request", "", "path=/d/1", "shop_path_/d/1_946684800"},
		{"prefix without anything between", "pre:", "path=/d/1", "pre:shop_path_/d/1_946684800"},
		{"empty value leaves two underscores", "", "plain", "shop_plain__946684800"},
		{"several entries in order", "", "plain=1,plain=2", "shop_plain_1_plain_2_946684800"},
		{"pattern in the place of a shared value", "", "path=/s/1", "shop_path_/s/*_946684800"},
		{"pattern of a level above the limit", "", "path=/s/1,user=u", "shop_path_/s/*_user_u_946684800"},
		{"patterns on two levels", "", "path=/deep/1,user=u7", "shop_path_/deep/*_user_u*_946684800"},
		{"pattern of a key", "", "k1=v", "shop_k1_k*_946684800"},
		{"several units carry their length", "", "multi=1", "shop_multi_1_946684800/300"},
		{"one unit written out does not", "", "one=1", "shop_one_1_946684800"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, shared, func(o *ratelimit.Options) { o.KeyPrefix = test.prefix })
				b.ask(t, test.ask)
				equal(t, test.ask, strings.Join(b.counter.asked, "; "), test.want+" +1")
			})
		})
	}
}

func TestRulesListDomainsAndLimits(t *testing.T) {
	rules := parse(t, domain(
		"{key: b, shadow_mode: true, "+perHour+"}",
		"{key: a, quota_mode: true, rate_limit: {unit: minute, unit_multiplier: 5, requests_per_unit: 2}}",
		"{key: free, rate_limit: {unlimited: true}, descriptors: [{key: c*, "+perHour+"}]}",
	))
	var lines []string
	for rule := range rules.All() {
		lines = append(lines, rule.String())
	}
	want := `shop.b: unit=HOUR requests_per_unit=9, shadow_mode: true, quota_mode: false
shop.a: unit=MINUTE requests_per_unit=2, shadow_mode: false, quota_mode: true, unit_multiplier: 5
shop.free: unit=UNKNOWN requests_per_unit=0, shadow_mode: false, quota_mode: false
shop.free.c*: unit=HOUR requests_per_unit=9, shadow_mode: false, quota_mode: false`
	equal(t, "lines", strings.Join(lines, "\n"), want)
	equal(t, "domains", strings.Join(rules.Domains(), " "), "shop")
	equal(t, "knows shop", rules.Knows("shop"), true)
	equal(t, "knows another", rules.Knows("shops"), false)
}

package ratelimit_test

import (
	"strings"
	"testing"

	"stoa/ratelimit"
)

// names lists the paths whose total is not 0.
func (b *bench) names() string {
	var all []string
	for _, c := range b.stats.Snapshot().Counters {
		path, ok := strings.CutSuffix(c.ID().Name, ".total_hits")
		if ok && c.Total() > 0 {
			all = append(all, strings.TrimPrefix(path, "ratelimit.service.rate_limit."))
		}
	}
	return strings.Join(all, " ")
}

func TestNameOfARuleInStatistics(t *testing.T) {
	for _, test := range []struct{ name, rule, ask, want string }{
		{"key", "{key: k, " + perHour + "}", "k=v", "shop.k"},
		{"key and value", "{key: k, value: v, " + perHour + "}", "k=v", "shop.k_v"},
		{"a wildcard shows its pattern", "{key: k, value: 'v*', " + perHour + "}", "k=v1", "shop.k_v*"},
		{"levels", "{key: a, value: 1, descriptors: [{key: b, " + perHour + "}]}", "a=1,b=2", "shop.a_1.b"},

		{"detailed", "{key: k, detailed_metric: true, " + perHour + "}", "k=v", "shop.k_v"},
		{"detailed, no value", "{key: k, detailed_metric: true, " + perHour + "}", "k", "shop.k_"},
		{"detailed, wildcard", "{key: k, value: 'v*', detailed_metric: true, " + perHour + "}", "k=v1", "shop.k_v1"},
		{"detailed, every level", "{key: a, descriptors: [{key: b, detailed_metric: true, " + perHour + "}]}", "a=1,b=2", "shop.a_1.b_2"},
		{"detailed above the limit says nothing", "{key: a, detailed_metric: true, descriptors: [{key: b, " + perHour + "}]}", "a=1,b=2", "shop.a.b"},

		{"value to metric", "{key: k, value_to_metric: true, " + perHour + "}", "k=v", "shop.k_v"},
		{"value to metric, no value", "{key: k, value_to_metric: true, " + perHour + "}", "k", "shop.k"},
		{"value to metric, wildcard", "{key: k, value: 'v*', value_to_metric: true, " + perHour + "}", "k=v1", "shop.k_v1"},
		{"value to metric, each level for itself", "{key: a, value_to_metric: true, descriptors: [{key: b, " + perHour + "}]}", "a=1,b=2", "shop.a_1.b"},
		{"value to metric, the other level", "{key: a, descriptors: [{key: b, value_to_metric: true, " + perHour + "}]}", "a=1,b=2", "shop.a.b_2"},

		{"shared alone", "{key: k, value: 'v*', share_threshold: true, " + perHour + "}", "k=v1", "shop.k_v*"},
		{"shared and detailed", "{key: k, value: 'v*', share_threshold: true, detailed_metric: true, " + perHour + "}", "k=v1", "shop.k_v*"},
		{"shared and value to metric", "{key: k, value: 'v*', share_threshold: true, value_to_metric: true, " + perHour + "}", "k=v1", "shop.k_v*"},
		{"shared above a detailed level", "{key: k, value: 'v*', share_threshold: true, descriptors: [{key: b, detailed_metric: true, " + perHour + "}]}", "k=v1,b=2", "shop.k_v*.b_2"},
		{"shared pattern in a key", "{key: 'k*', share_threshold: true, detailed_metric: true, " + perHour + "}", "k1=v", "shop.k*"},
		{"detailed wins over value to metric", "{key: a, descriptors: [{key: b, value_to_metric: true, detailed_metric: true, " + perHour + "}]}", "a=1,b=2", "shop.a_1.b_2"},

		{"colons and bars", "{key: k, detailed_metric: true, " + perHour + "}", "k=a:b|c", "shop.k_a_b_c"},
		{"colons in the rules", "{key: 'x:y', value: 'a|b', " + perHour + "}", "x:y=a|b", "shop.x_y_a_b"},
		{"dots of an address", "{key: ip, detailed_metric: true, " + perHour + "}", "ip=10.20.30.40", "shop.ip_10_20_30_40"},
		{"other dots stay", "{key: host, detailed_metric: true, " + perHour + "}", "host=a.example.org", "shop.host_a.example.org"},
		{"nothing else is changed", "{key: k, detailed_metric: true, " + perHour + "}", "k=/A-b_c%20/ü*", "shop.k_/A-b_c%20/ü*"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := open(t, domain(test.rule))
			b.ask(t, test.ask)
			equal(t, "names", b.names(), test.want)
		})
	}
}

func TestNameOfAnOverrideInStatistics(t *testing.T) {
	for _, test := range []struct{ name, ask, want string }{
		{"key and value", "color=red", "shop.color_red"},
		{"no value", "color", "shop.color"},
		{"levels", "color=red,size,ip=10.0.0.1", "shop.color_red.size.ip_10_0_0_1"},
		{"where there is a rule", "path=/a", "shop.path_/a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := open(t, domain("{key: path, "+perHour+"}"))
			b.decide(t, withOverride(test.ask, ratelimit.Limit{Requests: 1, Unit: ratelimit.Day}))
			equal(t, "names", b.names(), test.want)
		})
	}
}

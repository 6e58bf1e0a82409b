package ratelimit_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// The clock of a bubble stands at second 946684800, the start of every unit used.
func TestStopIncrement(t *testing.T) {
	const a, b = "shop_one_a_946684800", "shop_two_b_946684800"
	for _, test := range []struct {
		name, before, ask, want string
		counts                  [2]uint64
	}{
		{"none would be over: all count", "", "one=a; two=b", "OK: OK 0 of 1 per hour, OK 1 of 2 per hour", [2]uint64{1, 1}},
		{"one is over: the others stay", "one=a", "one=a; two=b", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 2 of 2 per hour", [2]uint64{2, 0}},
		{"whatever the order", "one=a", "two=b; one=a", "OVER_LIMIT: OK 2 of 2 per hour, OVER_LIMIT 0 of 1 per hour", [2]uint64{2, 0}},
		{"both would be over: both count", "one=a; two=b +2", "one=a; two=b +7", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OVER_LIMIT 0 of 2 per hour", [2]uint64{2, 9}},
		{"hits decide, not only the count", "", "one=a +2; two=b", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 2 of 2 per hour", [2]uint64{2, 0}},
		{"alone it counts as ever", "one=a", "one=a +3", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour", [2]uint64{4, 0}},
		{"hits are given back all the same", "one=a; two=b +2", "one=a; two=b -1", "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 1 of 2 per hour", [2]uint64{2, 1}},
		{"what is unlimited or without a rule stays out", "one=a", "free; one=a; color=red", "OVER_LIMIT: OK unlimited, OVER_LIMIT 0 of 1 per hour, OK", [2]uint64{2, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := open(t, shop, stop)
				if test.before != "" {
					l.ask(t, test.before)
				}
				explained, err := l.Explain(t.Context(), request(test.ask))
				if err != nil {
					t.Fatal(err)
				}
				equal(t, test.ask, l.ask(t, test.ask), test.want)
				equal(t, "as explained", explained.OverallCode, test.want[:strings.Index(test.want, ":")])
				w := hour
				equal(t, "counts", [2]uint64{l.counter.count(t, a, w), l.counter.count(t, b, w)}, test.counts)
			})
		})
	}
}

func TestWithoutStopIncrementEveryCounterRunsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := open(t, shop)
		l.ask(t, "one=a; two=b")
		equal(t, "answer", l.ask(t, "one=a; two=b"), "OVER_LIMIT: OVER_LIMIT 0 of 1 per hour, OK 0 of 2 per hour")
		equal(t, "count of the other", l.counter.count(t, "shop_two_b_946684800", hour), 2)
	})
}

func TestStopIncrementCountsTheHitsOfSparedKeysAsWithin(t *testing.T) {
	l := open(t, shop, stop)
	l.ask(t, "one=a")
	l.ask(t, "one=a; two=b +2")
	equal(t, "spared", l.rule("shop.two"), "total_hits 2, within_limit 2")
	equal(t, "over", l.rule("shop.one"), "total_hits 2, over_limit 1, near_limit 1, within_limit 1")
}

func TestStopIncrementWithAKeyKnownToBeOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := open(t, shop, stop, known)
		l.ask(t, "one=a +2")
		l.ask(t, "two=c")
		equal(t, "refused from memory", l.ask(t, "two=b; one=a; two=c -1"),
			"OVER_LIMIT: OK 2 of 2 per hour, OVER_LIMIT 0 of 1 per hour, OK 2 of 2 per hour")
		equal(t, "asked", fmt.Sprint(l.counter.asked), "[shop_two_b_946684800 +0 shop_two_c_946684800 -1]")
		equal(t, "count of the known key", l.counter.count(t, "shop_one_a_946684800", hour), 2)
	})
}

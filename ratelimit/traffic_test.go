package ratelimit_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"stoa/ratelimit"
)

// flows tells flows in a line each: "name (rule) limit hits/refused".
func flows(all []ratelimit.Flow) string {
	var lines []string
	for _, f := range all {
		lines = append(lines, fmt.Sprintf("%s (%s) %s %d/%d", f.Name, f.Rule, f.Limit, f.Hits, f.Refused))
	}
	return strings.Join(lines, "\n")
}

func TestTrafficShowsTheBusiestFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, shop)
		watched := b.Watch()
		b.ask(t, "one=a; two=a +2; free; color=red; named; replacer")
		b.ask(t, "one=b; shadow +2")
		b.ask(t, "one=a")
		b.ask(t, "two=a -1") // hits given back are no traffic
		override := withOverride("color=red +7", ratelimit.Limit{Requests: 9, Unit: ratelimit.Day})
		b.decide(t, override)
		override.Descriptors[0].Override.Unit = ratelimit.Minute
		override.Descriptors[0].Entries[0].Value = "blue"
		b.decide(t, override)

		rules, keys := watched.Take(3)
		equal(t, "rules", flows(rules), `(override) () 9 per day 14/0
shop.one () 1 per hour 3/1
shop.shadow () 1 per hour 2/2
shop.two () 2 per hour 2/0
shop.replacer () 5 per hour 1/0`)
		equal(t, "keys", flows(keys), `shop_color_blue_946684800 ((override)) 9 per minute 7/0
shop_color_red_946684800 ((override)) 9 per day 7/0
shop_one_a_946684800 (shop.one) 1 per hour 2/1`)

		rules, keys = watched.Take(3)
		equal(t, "taken once", flows(rules)+flows(keys), "")
	})
}

func TestTrafficOfKeysKnownToBeOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, shop, known)
		b.ask(t, "one=a +2")
		watched := b.Watch()
		b.ask(t, "one=a +4")
		_, keys := watched.Take(9)
		equal(t, "keys", flows(keys), "shop_one_a_946684800 (shop.one) 1 per hour 4/4")
	})
}

func TestTrafficIsKeptWhileSomebodyWatches(t *testing.T) {
	b := open(t, shop)
	b.ask(t, "one")
	watched := b.Watch()
	b.Unwatch()
	b.ask(t, "one")
	rules, keys := watched.Take(9)
	equal(t, "flows", len(rules)+len(keys), 0)
}

func TestTrafficHasRoomForTheFirstKeysOnly(t *testing.T) {
	b := open(t, shop)
	watched := b.Watch()
	for i := range 5000 {
		b.ask(t, fmt.Sprintf("two=%d", i))
	}
	b.ask(t, "two=0")
	b.ask(t, "two=4999")
	rules, keys := watched.Take(10_000)
	equal(t, "keys", len(keys), 4096)
	equal(t, "hits of a key with a place", keys[0].Hits, 2)
	equal(t, "hits of the rule", rules[0].Hits, 5002)
}

func TestTrafficUnderConcurrency(t *testing.T) {
	b := open(t, shop, many)
	watched := b.Watch()
	var hits uint64
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 200 {
				var d ratelimit.Decision
				if err := b.Decide(t.Context(), request(fmt.Sprint("most=", i)), &d); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 20 {
		rules, _ := watched.Take(1)
		for _, r := range rules {
			hits += r.Hits
		}
	}
	wg.Wait()
	rules, _ := watched.Take(1)
	for _, r := range rules {
		hits += r.Hits
	}
	equal(t, "hits", hits, 800)
}

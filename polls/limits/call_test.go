package limits_test

import (
	"net/netip"
	"strings"
	"testing"
	"testing/synctest"

	"stoa/polls/limits"
)

func TestDescriptorsOfEachCall(t *testing.T) {
	t.Parallel()
	everything := limits.Call{Address: someone, User: 7, Voter: "v", Poll: 9, Account: "ann"}
	with := func(change func(*limits.Call)) limits.Call {
		c := everything
		change(&c)
		return c
	}
	route := func(r limits.Route) limits.Call { return with(func(c *limits.Call) { c.Route = r }) }
	for _, test := range []struct {
		name string
		call limits.Call
		want string
	}{
		{"mint", route(limits.Mint), "route=mint,address=#"},
		{"authenticate", route(limits.Authenticate), "route=authenticate,address=# route=authenticate,account=#"},
		{"authenticate nobody", limits.Call{Route: limits.Authenticate, Address: someone}, "route=authenticate,address=#"},
		{"sign up", route(limits.Signup), "route=signup,address=#"},
		{"vote of an account", route(limits.Vote), "route=vote,voter=# route=vote,address=#"},
		{"vote without an account", limits.Call{Route: limits.Vote, Address: someone, Voter: "v", Poll: 9},
			"route=vote,voter=# route=vote,address=# route=vote_poll,address=#,poll=9"},
		{"removal of a vote", limits.Call{Route: limits.Vote, Address: someone, Voter: "v"}, "route=vote,voter=# route=vote,address=#"},
		{"vote of nobody", limits.Call{Route: limits.Vote, Address: someone}, "route=vote,address=#"},
		{"vote of nobody on a poll", limits.Call{Route: limits.Vote, Address: someone, Poll: 9}, "route=vote,address=#"},
		{"create a poll", route(limits.CreatePoll), "route=create_poll,user=7"},
		{"create a poll without an account", limits.Call{Route: limits.CreatePoll, Address: someone}, "route=write,address=#"},
		{"comment", route(limits.Comment), "route=comment,user=7"},
		{"comment without an account", limits.Call{Route: limits.Comment, Address: someone}, "route=write,address=#"},
		{"upload", route(limits.Upload), "route=upload,address=#"},
		{"read", route(limits.Read), "route=read,address=#"},
		{"write", route(limits.Write), "route=write,address=#"},
		{"beacon", route(limits.Beacon), "route=beacon,address=#"},
		{"the largest numbers", limits.Call{Route: limits.Vote, Voter: strings.Repeat("v", 1000), Poll: -1 << 63},
			"route=vote,voter=# route=vote,address=# route=vote_poll,address=#,poll=-9223372036854775808"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			heard := &listener{Limiter: newLimiter(t, limits.Default, "polls")}
			ask(t, newLimits(heard), test.call)
			if got, want := unhashed(heard.asked), strings.ReplaceAll(test.want, " ", "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// who is what a call is counted by.
func who(t *testing.T, o limits.Options, c limits.Call) string {
	t.Helper()
	heard := &listener{Limiter: newLimiter(t, limits.Default, "polls")}
	o.Decider = heard
	ask(t, limits.New(o), c)
	_, value, _ := strings.Cut(heard.asked[0], ",")
	return value
}

func TestWhoIsCountedAsOne(t *testing.T) {
	t.Parallel()
	read := func(address string) limits.Call {
		return limits.Call{Route: limits.Read, Address: netip.MustParseAddr(address)}
	}
	vote := func(user int64, voter string) limits.Call {
		return limits.Call{Route: limits.Vote, User: user, Voter: voter}
	}
	for _, test := range []struct {
		name    string
		a, b    limits.Call
		wantOne bool
	}{
		{"the same address", read("198.51.100.1"), read("198.51.100.1"), true},
		{"neighbours over IPv4", read("198.51.100.1"), read("198.51.100.2"), false},
		{"IPv4 in IPv6", read("198.51.100.1"), read("::ffff:198.51.100.1"), true},
		{"a /64", read("2001:db8:1:2::1"), read("2001:db8:1:2:ffff:ffff:ffff:ffff"), true},
		{"another /64", read("2001:db8:1:2::1"), read("2001:db8:1:3::1"), false},
		{"zones", read("fe80::1%eth0"), read("fe80::1%eth1"), true},
		{"no address", limits.Call{Route: limits.Read}, limits.Call{Route: limits.Read}, true},
		{"one account votes", vote(7, ""), vote(7, "v"), true},
		{"two accounts vote", vote(7, ""), vote(8, ""), false},
		{"two anonymous voters", vote(0, "v"), vote(0, "w"), false},
		{"an account is no anonymous voter", vote(7, ""), vote(0, "\x00\x00\x00\x00\x00\x00\x00\x07"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := limits.Options{Domain: "polls", Key: secret}
			a, b := who(t, o, test.a), who(t, o, test.b)
			if got := a == b; got != test.wantOne {
				t.Errorf("%s and %s: got one %t, want %t", a, b, got, test.wantOne)
			}
		})
	}
}

// As the login finds it: otherwise each way to write a name were another ten tries.
func TestAccountCountsInAnyWayToWriteItsName(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := newLimits(newLimiter(t, limits.Default, "polls"))
		names := []string{"Sam", "SAM", " sam\t", "\u3000ſam", "sam"}
		for i := range 11 {
			answer := ask(t, l, limits.Call{Route: limits.Authenticate, Account: names[i%len(names)], Address: netip.AddrFrom4([4]byte{10, 0, 0, byte(i)})})
			if want := i >= 10; answer.Over != want {
				t.Errorf("try %d: got over %t, want %t", i+1, answer.Over, want)
			}
		}
	})
}

func TestHashesDependOnTheEnvironment(t *testing.T) {
	t.Parallel()
	call := limits.Call{Route: limits.Read, Address: someone}
	one := who(t, limits.Options{Domain: "polls", Key: secret}, call)
	for name, o := range map[string]limits.Options{
		"another secret": {Domain: "polls", Key: []byte("another secret")},
		"another domain": {Domain: "polls_staging", Key: secret},
	} {
		if other := who(t, o, call); other == one {
			t.Errorf("%s: got %s twice, want two hashes", name, one)
		}
	}
	if again := who(t, limits.Options{Domain: "polls", Key: secret}, call); again != one {
		t.Errorf("another process: got %s, want %s", again, one)
	}
}

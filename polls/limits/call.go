package limits

import (
	"net/netip"
	"strconv"

	"stoa/polls/internal/text"
	"stoa/ratelimit"
)

// Route is the kind of a call, as rules name it.
type Route string

const (
	Mint         Route = "mint"         // somebody without identity is given one
	Authenticate Route = "authenticate" // a password is tried
	Signup       Route = "signup"
	Vote         Route = "vote" // and the removal of a vote
	CreatePoll   Route = "create_poll"
	Comment      Route = "comment"
	Upload       Route = "upload"
	Read         Route = "read"
	Write        Route = "write" // every other write
	Beacon       Route = "beacon"
)

// votePoll is asked beside Vote, for those who vote without an account.
const votePoll Route = "vote_poll"

// Call is what is known of a call. What its route does not ask for is not looked at.
type Call struct {
	Route   Route
	Address netip.Addr // of the client; those without one count as one
	User    int64      // the account that calls; 0: none
	Voter   string     // the anonymous id that votes; empty for an account
	Poll    int64      // the poll that is voted on; 0 for a removal, which uses up no vote
	Account string     // the user name or e-mail that a password is tried for, in any letter case
}

// mostEntries is how many entries the longest question has, that of Vote.
const mostEntries = 7

// write puts the descriptors of a call into the request.
func (q *question) write(l *Limits, c *Call) {
	v := l.values(c)
	q.entries, q.request.Descriptors = q.entries[:0], q.request.Descriptors[:0]
	q.request.Domain = l.domain
	byAddress := ratelimit.Entry{Key: "address", Value: v.address}
	switch c.Route {
	case Vote:
		if v.who != "" {
			q.add(Vote, ratelimit.Entry{Key: "voter", Value: v.who})
		}
		q.add(Vote, byAddress)
		if v.poll != "" {
			q.add(votePoll, byAddress, ratelimit.Entry{Key: "poll", Value: v.poll})
		}
	case Authenticate:
		q.add(Authenticate, byAddress)
		if v.who != "" {
			q.add(Authenticate, ratelimit.Entry{Key: "account", Value: v.who})
		}
	case CreatePoll, Comment:
		if v.who == "" { // will be refused for want of an account: a write like others
			q.add(Write, byAddress)
			return
		}
		q.add(c.Route, ratelimit.Entry{Key: "user", Value: v.who})
	default:
		q.add(c.Route, byAddress)
	}
}

// add makes a descriptor of the route and more entries.
func (q *question) add(route Route, more ...ratelimit.Entry) {
	start := len(q.entries)
	q.entries = append(q.entries, ratelimit.Entry{Key: "route", Value: string(route)})
	q.entries = append(q.entries, more...)
	q.request.Descriptors = append(q.request.Descriptors, ratelimit.Descriptor{Entries: q.entries[start:len(q.entries):len(q.entries)]})
}

// values is what a call has to say, as it goes into entries. Empty: nothing.
type values struct{ address, who, poll string }

// values writes all of them into one text, the only allocation of a question.
func (l *Limits) values(c *Call) values {
	var space [64]byte
	text := l.hasher.address(space[:0], Network(c.Address))
	address := len(text)
	text = l.appendWho(text, c)
	who := len(text)
	if c.Route == Vote && c.User == 0 && c.Voter != "" && c.Poll != 0 { // who is nobody will be refused, and uses up no vote
		text = strconv.AppendInt(text, c.Poll, 10)
	}
	all := string(text)
	return values{all[:address], all[address:who], all[who:]}
}

func (l *Limits) appendWho(dst []byte, c *Call) []byte {
	switch {
	case c.Route == Vote && c.User != 0:
		return l.hasher.number(dst, ofAccountVoter, c.User)
	case c.Route == Vote && c.Voter != "":
		return l.hasher.text(dst, ofAnonymousVoter, c.Voter)
	case c.Route == Authenticate && c.Account != "":
		return l.hasher.text(dst, ofAccount, text.LoginName(c.Account))
	case (c.Route == CreatePoll || c.Route == Comment) && c.User != 0:
		return strconv.AppendInt(dst, c.User, 10)
	}
	return dst
}

// Value is how a call asks with a value that somebody writes: addresses and names of
// accounts become the hashes that are counted by, everything else stays. The key is
// that of an entry.
func (l *Limits) Value(key, value string) string {
	switch key {
	case "address":
		if address, err := netip.ParseAddr(value); err == nil {
			return string(l.hasher.address(nil, Network(address)))
		}
	case "account":
		return string(l.hasher.text(nil, ofAccount, text.LoginName(value)))
	}
	return value
}

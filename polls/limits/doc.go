// Package limits asks the rate limit service whether a call of the polls may
// pass, and holds the rules that are shipped for it.
//
// Every call is one question with all its descriptors, as operators write rules
// for them:
//
//	route=vote, voter=<hash>
//	route=vote, address=<hash>
//	route=vote_poll, address=<hash>, poll=<id>
//
// Counters may live in Redis or memcache, and keys are seen on the debug port. So
// who calls is never in a key in clear: addresses, account names and voters are
// hashed with the key of the environment. A rule for one address by name is
// therefore not possible; a rule for all of them is.
package limits

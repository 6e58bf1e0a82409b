// Package xds takes rate limit rules from a control plane, over Envoy's
// aggregated discovery service.
//
// The client asks once, with its node, for all rules there are. The server then
// sends a whole set whenever it likes; each is put in force or refused as one,
// and the answer says which: an ACK carries the set's version, a NACK the last
// good version and what is wrong. An empty set is a good set.
//
// The server may be away for as long as it likes: rules stay in force, and the
// client tries again. Each new stream begins from nothing, without a version: a
// server that lost its memory counts versions from the start, and "1" may be
// another set than the "1" we have.
package xds

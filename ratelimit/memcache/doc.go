// Package memcache counts in memcached.
//
// A call reads all its keys with one multi-get, answers with what is stored plus
// its own hits, and leaves the adding to a queue that Run writes in the
// background: memcached has no multi-increment, and a key must be added before
// it can be incremented. So counts are a little behind, and two calls at the
// same moment may both see the last free place.
//
// Counting here never stops a request. What cannot be read counts as nothing
// stored, what cannot be written is lost; both are logged, counted and told to
// Options.Failed. No call waits long: connecting and each answer may take 500
// milliseconds, and a server that let that time pass is left alone for a second.
//
// Keys are spread over the servers as other clients do it, by the CRC-32 of the
// key modulo the number of servers, so the order of the list matters.
package memcache

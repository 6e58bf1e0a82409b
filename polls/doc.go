// Package polls is the room of two-choice polls: a question, one picture, two
// answers, and exact counts.
//
// A [Service] is one environment: its database, its files, its keys, its address.
// A request comes in by the route table of routes.go, is read and identified
// (call.go, identity.go), and meets one method of a noun: poll, vote, user,
// comment, publisher, embed. What a noun is stands in noun.go, how it is reached
// in noun_http.go, how it is kept in noun_store.go.
//
// Votes go through the ballot box (ballot.go), which commits whatever waits in one
// transaction and answers after it, so that an answered vote is on disk and a disk
// sync serves many. Reads are served from copies (copies.go), which are shown only
// if they are as new as the database.
package polls

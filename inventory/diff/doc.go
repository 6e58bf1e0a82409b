// Package diff says what changes when one cluster document takes the place of
// another: not text against text, but what either means.
//
// Resolved documents are compared, so comments, the order of members, short
// forms and values that equal their defaults make no difference. Nodes are
// matched by name. The answer has four parts: nodes that come and go, values of
// the whole cluster with where the new ones come from, what each node gets
// otherwise than before, and the files on which that shows.
//
// Secrets are compared but never shown.
package diff

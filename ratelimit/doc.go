// Package ratelimit decides whether a request may pass.
//
// A caller names a domain and some descriptors, each a short list of key/value
// entries: domain "shop", descriptor path=/api, user=u1. The rules of the domain
// are a tree; a descriptor walks it entry by entry, and the node of its last
// entry may hold a limit, such as 100 requests per 5 minutes.
//
// A limit counts in windows aligned to the epoch. The window, the domain and the
// entries make a key; a Counter (memory, redis or memcache) adds the hits to that
// key and tells the new total. Over the limit, the descriptor is refused; one
// refused descriptor refuses the request, unless a shadow or quota mode says
// otherwise.
//
// This package is the pure decision: it knows no gRPC, no HTTP, no Redis. The
// folders beside it are its edges (rls) and its counters; app/ joins them.
package ratelimit

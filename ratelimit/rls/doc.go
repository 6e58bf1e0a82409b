// Package rls is the edge of the rate limit service: Envoy's protocol over gRPC,
// the same decision as JSON over HTTP, health, and the debug port.
//
// The names that Envoy dictates (messages, enums, JSON fields) live here and stop
// here: request.go and response.go turn them into the words of package ratelimit
// and back.
package rls

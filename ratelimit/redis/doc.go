// Package redis counts in Redis: one server, a master watched by sentinels, or
// a cluster; and, if wanted, windows of one second in a second Redis.
//
// All calls share few connections. A call is one pipeline: INCRBY for each
// counter, followed by EXPIRE when this process has not yet given that key an
// expiry, so that a key and its expiry travel in one write. Nothing is sent
// twice, hence nothing is counted twice; a call whose connection breaks fails.
//
// A call waits at most the timeout. What keeps this cheap is that no call has a
// timer: a clock looks around a few times per timeout, and a connection that
// has let a call wait too long is closed, which ends the calls on it.
//
// While Redis is away calls fail at once (the breaker is open). One server or a
// master is then given up with all its connections, and Run connects anew, at
// least once a second. In a cluster only the node that is away is left alone.
package redis

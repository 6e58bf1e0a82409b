// Package redistest starts real redis servers: one alone, a master with a
// replica and a sentinel, or a cluster. They listen on free loopback ports and
// keep their files in a folder of the caller.
//
// Tests use Start, StartSentinel and StartCluster, which end the servers with
// the test. Programs that are no tests use Launch, LaunchSentinel and
// LaunchCluster, and Kill when they are done.
package redistest

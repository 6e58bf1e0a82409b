// Package oracle compares this rate limit service with Envoy's, the one it takes
// the place of: the same rules, environment and requests have to bring the same
// answers, counters and statistics, but for the differences that are listed in
// difference_test.go.
//
// It is run by hand, since Envoy's service has to be built first:
//
//	GOBIN=$PWD/bin go install github.com/envoyproxy/ratelimit/src/service_cmd@v1.4.1-0.20260122083618-3fb702589d36
//	go test -tags oracle -timeout 20m ./test/oracle -oracle $PWD/bin/service_cmd
//
// -seed and -requests repeat a run or make it longer.
package oracle

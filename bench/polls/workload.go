package main

import (
	"fmt"
	"strconv"
)

// workload is what the callers ask for.
type workload struct {
	name string
	// request writes the n-th request of a server's life.
	request func(dst []byte, s *server, n uint64) []byte
}

// workloads are the requests that the polls are measured by.
func workloads(s settings) []workload {
	return []workload{
		{"votes, many polls", func(dst []byte, to *server, n uint64) []byte {
			// Every vote is a new one: all polls get the first person's, then the next one's.
			return appendVote(dst, to, 2+n%uint64(s.polls), n/uint64(s.polls), 1)
		}},
		hotVotes("votes, one poll", s, 1),
		{"GET /polls/:id", func(dst []byte, _ *server, _ uint64) []byte { return appendGet(dst, []byte("/api/v4/polls/2")) }},
		// The stub sends the same memory for all of them, stoa each one's own.
		{"GET /polls/:id, many", func(dst []byte, _ *server, n uint64) []byte {
			return appendGet(dst, fmt.Appendf(nil, "/api/v4/polls/%d", 2+n%uint64(s.polls)))
		}},
		{"GET /polls", func(dst []byte, _ *server, _ uint64) []byte { return appendGet(dst, []byte("/api/v4/polls")) }},
	}
}

// hotVotes are votes on one poll. When everybody has voted, all change their minds.
func hotVotes(name string, s settings, poll int) workload {
	return workload{name, func(dst []byte, to *server, n uint64) []byte {
		return appendVote(dst, to, uint64(poll), n, 1+n/uint64(s.voters)%2)
	}}
}

func appendVote(dst []byte, to *server, poll, voter, option uint64) []byte {
	body := append(make([]byte, 0, 128), `{"option":`...)
	body = strconv.AppendUint(body, option, 10)
	body = append(body, `,"anonymous_user_id":"`...)
	body = append(body, to.voters[voter%uint64(len(to.voters))]...)
	body = append(body, `"}`...)
	dst = append(dst, "POST /api/v4/polls/"...)
	dst = strconv.AppendUint(dst, poll, 10)
	dst = append(dst, "/votes HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	return append(append(dst, "\r\n\r\n"...), body...)
}

func appendGet(dst, path []byte) []byte {
	dst = append(append(dst, "GET "...), path...)
	return append(dst, " HTTP/1.1\r\nHost: bench\r\n\r\n"...)
}

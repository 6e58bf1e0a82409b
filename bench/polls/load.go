package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// result is one round of one server.
type result struct {
	perSecond    float64
	cpuMicros    float64 // of the server, per request
	votesPerSync float64 // 0 where nothing is stored
	p50, p99     time.Duration
}

func (r result) String() string {
	return fmt.Sprintf("%8.0f/s  %5.1f µs CPU  %5.1f votes a sync  p50 %v  p99 %v", r.perSecond, r.cpuMicros, r.votesPerSync,
		r.p50.Round(10*time.Microsecond), r.p99.Round(10*time.Microsecond))
}

// measure runs all callers for the length of a round.
func measure(ctx context.Context, s settings, to *server, w workload) (result, error) {
	if to.sent[w.name] == nil {
		to.sent[w.name] = new(atomic.Uint64)
	}
	before, err := to.usage(ctx)
	if err != nil {
		return result{}, err
	}
	start := time.Now()
	times, err := callAll(ctx, s, to, w, start.Add(s.length))
	if err != nil {
		return result{}, err
	}
	took := time.Since(start)
	after, err := to.usage(ctx)
	if err != nil {
		return result{}, err
	}
	slices.Sort(times)
	n := float64(len(times))
	r := result{
		perSecond: n / took.Seconds(),
		cpuMicros: float64((after.cpu - before.cpu).Microseconds()) / n,
		p50:       times[len(times)/2],
		p99:       times[len(times)*99/100],
	}
	if groups := after.groups - before.groups; groups > 0 {
		r.votesPerSync = (after.votes - before.votes) / groups
	}
	return r, nil
}

func callAll(ctx context.Context, s settings, to *server, w workload, end time.Time) ([]time.Duration, error) {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		all    []time.Duration
		faults []error
	)
	for range s.callers {
		wg.Go(func() {
			times, err := to.call(ctx, w, end)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			if err != nil {
				faults = append(faults, err)
			}
		})
	}
	wg.Wait()
	if len(all) == 0 {
		faults = append(faults, errors.New("nothing was answered"))
	}
	return all, errors.Join(faults...)
}

// call is one caller. It speaks HTTP by itself, so that the machine is the
// server's as far as possible.
func (s *server) call(ctx context.Context, w workload, end time.Time) ([]time.Duration, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	times := make([]time.Duration, 0, 1<<14)
	in := bufio.NewReaderSize(conn, 32<<10)
	sent := s.sent[w.name]
	var request []byte
	for start := time.Now(); start.Before(end) && ctx.Err() == nil; start = time.Now() {
		request = w.request(request[:0], s, sent.Add(1)-1)
		if _, err := conn.Write(request); err != nil {
			return times, err
		}
		if err := readAnswer(in); err != nil {
			return times, err
		}
		times = append(times, time.Since(start))
	}
	return times, nil
}

// readAnswer reads an answer with a Content-Length and wants it to be a success.
func readAnswer(in *bufio.Reader) error {
	status, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	good := bytes.HasPrefix(status, []byte("HTTP/1.1 200 "))
	length := -1
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if value, found := bytes.CutPrefix(line, []byte("Content-Length: ")); found {
			length, _ = strconv.Atoi(string(bytes.TrimSpace(value)))
		}
	}
	if !good {
		body, _ := in.Peek(max(0, min(length, 200)))
		return fmt.Errorf("answered %s", body)
	}
	if length < 0 {
		return errors.New("answered without a Content-Length")
	}
	_, err = io.CopyN(io.Discard, in, int64(length))
	return err
}

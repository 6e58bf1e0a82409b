package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// measure lets all viewers watch for the length of a round.
func measure(ctx context.Context, s settings, from *server, w workload) (result, error) {
	before, err := from.cpu()
	if err != nil {
		return result{}, err
	}
	start := time.Now()
	times, err := watchAll(ctx, s, from, w, start.Add(s.length))
	if err != nil {
		return result{}, err
	}
	took := time.Since(start)
	after, err := from.cpu()
	if err != nil {
		return result{}, err
	}
	slices.Sort(times)
	n := float64(len(times))
	return result{n / took.Seconds(), float64((after - before).Microseconds()) / n, times[len(times)/2], times[len(times)*99/100]}, nil
}

func watchAll(ctx context.Context, s settings, from *server, w workload, end time.Time) ([]time.Duration, error) {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		all    []time.Duration
		faults []error
	)
	for viewer := range s.viewers {
		wg.Go(func() {
			times, err := from.watch(ctx, w, viewer, end)
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

// watch is one viewer. It speaks HTTP by itself, so that the machine is the server's
// as far as possible.
func (s *server) watch(ctx context.Context, w workload, first int, end time.Time) ([]time.Duration, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	key := s.authorization()
	var times []time.Duration
	in := bufio.NewReaderSize(conn, 128<<10)
	for start := time.Now(); start.Before(end) && ctx.Err() == nil; start = time.Now() {
		path := w.path(s, first+len(times)) + s.query
		if _, err := fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: bench\r\n%s\r\n", path, key); err != nil {
			return times, err
		}
		if err := readAnswer(in); err != nil {
			return times, fmt.Errorf("%s: %w", path, err)
		}
		times = append(times, time.Since(start))
	}
	return times, nil
}

// authorization is the line of a request that shows the key, if there is one.
func (s *server) authorization() string {
	if s.key == "" {
		return ""
	}
	return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(s.key+":")) + "\r\n"
}

// readAnswer reads an answer with a Content-Length and wants it to be a success.
func readAnswer(in *bufio.Reader) error {
	status, err := in.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(status, []byte("HTTP/1.1 200 ")) && !bytes.HasPrefix(status, []byte("HTTP/1.1 201 ")) {
		return fmt.Errorf("answered %s", bytes.TrimSpace(status))
	}
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
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
	}
	if length < 0 {
		return errors.New("answered without a Content-Length")
	}
	_, err = io.CopyN(io.Discard, in, int64(length))
	return err
}

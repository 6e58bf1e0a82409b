// Package jsonlines prints statistics as lines of JSON, one object each: the
// sink for a process that was told of no other.
package jsonlines

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strconv"
	"time"

	"stoa/internal/stats"
)

// queued is how many durations may wait for the writer.
const queued = 4096

// Options are what a Sink needs.
type Options struct {
	Registry *stats.Registry
	Out      io.Writer
	Interval time.Duration // between flushes, above 0
	Tags     stats.Tags    // of every statistic
}

// Sink prints a registry.
type Sink struct {
	options Options
	buffer  *bufio.Writer
	ledger  *stats.Ledger[string]
	timings <-chan stats.Timing
}

// New returns a sink that collects durations from now on and prints when it
// runs.
func New(o Options) *Sink {
	return &Sink{
		options: o,
		buffer:  bufio.NewWriter(o.Out),
		ledger:  stats.NewLedger(o.Registry, func(id stats.ID) string { return id.With(o.Tags...).Plain() }),
		timings: o.Registry.Timings(queued),
	}
}

// Run prints until ctx ends, then once more. It always returns nil: a writer
// that fails must not end the process.
func (s *Sink) Run(ctx context.Context) error {
	ticker := time.NewTicker(s.options.Interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			s.printTimings()
			s.flush()
			return nil
		case <-ticker.C:
			s.flush()
		case t := <-s.timings:
			s.printTiming(t)
			s.printTimings()
		}
	}
}

func (s *Sink) flush() {
	due, levels := s.ledger.Read()
	for _, d := range due {
		s.print(d.Label, "counter", float64(d.Increase))
		d.Sent()
	}
	for _, l := range levels {
		s.print(l.Label, "gauge", float64(l.Value))
	}
	s.writeOut()
}

// printTimings prints what waits in the queue.
func (s *Sink) printTimings() {
	for range len(s.timings) {
		s.printTiming(<-s.timings)
	}
	s.writeOut()
}

func (s *Sink) printTiming(t stats.Timing) {
	s.print(s.ledger.Timer(t.Timer), "timer", float64(t.Duration.Milliseconds()))
}

// writeOut empties the buffer. A bufio.Writer keeps its first error for ever,
// so after one it starts anew: a full disk may have room again.
func (s *Sink) writeOut() {
	if s.buffer.Flush() != nil {
		s.buffer.Reset(s.options.Out)
	}
}

// line has the fields, the logger and the text values that log collectors of
// the service we replace are set up for.
type line struct {
	Level   string    `json:"level"`
	Time    timestamp `json:"ts"`
	Logger  string    `json:"logger"`
	Message string    `json:"msg"`
	JSON    stat      `json:"json"`
}

type stat struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value string `json:"value"`
}

// timestamp is written as seconds since 1970 with six places.
type timestamp time.Time

func (t timestamp) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(time.Time(t).UnixMicro())/1e6, 'f', 6, 64), nil
}

func (s *Sink) print(name, kind string, value float64) {
	json.NewEncoder(s.buffer).Encode(line{
		Level:   "debug",
		Time:    timestamp(time.Now()),
		Logger:  "gostats.loggingsink",
		Message: "flushing " + kind,
		JSON:    stat{name, kind, strconv.FormatFloat(value, 'f', 6, 64)},
	})
}

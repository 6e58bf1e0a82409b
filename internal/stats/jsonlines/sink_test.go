package jsonlines_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"stoa/internal/stats"
	"stoa/internal/stats/jsonlines"
)

// page is what was printed; while it is full, printing fails.
type page struct {
	mu   sync.Mutex
	text bytes.Buffer
	full bool
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full {
		return 0, errors.New("no space left")
	}
	return p.text.Write(b)
}

func (p *page) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

func (p *page) setFull(full bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.full = full
}

func TestLinesHaveExactlyTheseFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := stats.NewRegistry()
		var out page
		s := jsonlines.New(jsonlines.Options{Registry: r, Out: &out, Interval: 10 * time.Second, Tags: stats.Tags{{Key: "a", Value: "b"}}})
		ctx, cancel := context.WithCancel(t.Context())
		go s.Run(ctx)
		r.Counter("idle")
		r.Counter("hits").Add(3)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		cancel()
		synctest.Wait()
		want := `{"level":"debug","ts":946684810.000000,"logger":"gostats.loggingsink","msg":"flushing counter",` +
			`"json":{"name":"hits.__a=b","type":"counter","value":"3.000000"}}` + "\n"
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// printed reads lines back as "type name value".
func printed(t *testing.T, out string) []string {
	t.Helper()
	var all []string
	for line := range strings.Lines(out) {
		var l struct {
			JSON struct{ Name, Type, Value string }
		}
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, l.JSON.Type+" "+l.JSON.Name+" "+l.JSON.Value)
	}
	return all
}

func TestTimersComeAtOnceTheRestAtTheInterval(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := stats.NewRegistry()
		c, took := r.Counter("c"), r.Timer("took")
		r.Gauge("g").Set(7)
		var out page
		s := jsonlines.New(jsonlines.Options{Registry: r, Out: &out, Interval: 10 * time.Second})
		ctx, cancel := context.WithCancel(t.Context())
		go s.Run(ctx)
		c.Add(1)
		took.Observe(1999 * time.Microsecond)
		synctest.Wait()
		want := []string{"timer took 1.000000"}
		if diff := cmp.Diff(want, printed(t, out.String())); diff != "" {
			t.Errorf("at once (-want +got):\n%s", diff)
		}
		time.Sleep(25 * time.Second)
		c.Add(4)
		cancel()
		synctest.Wait()
		want = slices.Concat(want, []string{
			"counter c 1.000000", "gauge g 7.000000", // 10 s
			"gauge g 7.000000",                       // 20 s
			"counter c 4.000000", "gauge g 7.000000", // stop
		})
		if diff := cmp.Diff(want, printed(t, out.String())); diff != "" {
			t.Errorf("after the stop (-want +got):\n%s", diff)
		}
	})
}

func TestWriterMayFailForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := stats.NewRegistry()
		r.Gauge("g").Set(1)
		disk := &page{full: true}
		s := jsonlines.New(jsonlines.Options{Registry: r, Out: disk, Interval: time.Second})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		time.Sleep(1500 * time.Millisecond)
		disk.setFull(false)
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: got %v want nil", err)
		}
		if diff := cmp.Diff([]string{"gauge g 1.000000"}, printed(t, disk.String())); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

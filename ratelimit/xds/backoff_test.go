package xds

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	discovery "github.com/envoyproxy/go-control-plane/envoy/service/discovery/v3"
	"google.golang.org/protobuf/types/known/anypb"
)

// script is a server that does the next thing at each attempt to connect.
type script struct {
	steps []step
	at    []time.Duration // when each came
	start time.Time
}

type step int

const (
	refuse step = iota // no connection
	lose               // a stream that breaks at once
	good               // a good set, then the stream breaks
	bad                // a bad one
)

func (s *script) open(ctx context.Context) (stream, func(), error) {
	s.at = append(s.at, time.Since(s.start))
	if len(s.at) > len(s.steps) {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	}
	did := s.steps[len(s.at)-1]
	if did == refuse {
		return nil, nil, errors.New("refused")
	}
	return &scripted{did: did}, func() {}, nil
}

type scripted struct{ did step }

func (*scripted) Send(*discovery.DiscoveryRequest) error { return nil }

func (s *scripted) Recv() (*discovery.DiscoveryResponse, error) {
	did := s.did
	s.did = lose
	switch did {
	case good:
		return &discovery.DiscoveryResponse{VersionInfo: "v"}, nil
	case bad:
		return &discovery.DiscoveryResponse{Resources: []*anypb.Any{{}}}, nil
	}
	return nil, io.EOF
}

// waits plays the steps and returns the time from each to the next.
func waits(t *testing.T, cfg Config, steps ...step) (waits []time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t, cfg)
		played := &script{steps: steps, start: time.Now()}
		s.open = played.open
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.Run(ctx) }()
		time.Sleep(time.Hour)
		stop()
		if err := <-done; err != nil {
			t.Errorf("Run: got %v, want nil", err)
		}
		if got := s.stats.Gauge("ratelimit.xds.connected").Value(); got != 0 {
			t.Errorf("got connected %d after the end, want 0", got)
		}
		for i := range steps {
			waits = append(waits, played.at[i+1]-played.at[i])
		}
	})
	return waits
}

func TestBackoff(t *testing.T) {
	const s = time.Second
	for _, test := range []struct {
		name  string
		steps []step
		want  []time.Duration
	}{
		{"doubles to the largest", []step{lose, lose, lose, lose, lose}, []time.Duration{10 * s, 20 * s, 40 * s, 60 * s, 60 * s}},
		{"starts over after a good set", []step{lose, lose, good, lose}, []time.Duration{10 * s, 20 * s, 10 * s, 20 * s}},
		{"does not after a bad set", []step{lose, bad, lose}, []time.Duration{10 * s, 20 * s, 40 * s}},
		{"has its own wait for connecting", []step{refuse, refuse, lose, refuse, lose}, []time.Duration{3 * s, 3 * s, 10 * s, 3 * s, 20 * s}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := waits(t, Config{}, test.steps...); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestBackoffJitter(t *testing.T) {
	cfg := Config{BackoffJitter: true, BackoffFactor: 0.5, BackoffInitial: 4 * time.Second, BackoffMax: 4 * time.Second}
	got := waits(t, cfg, slices.Repeat([]step{lose}, 200)...)
	least, most := slices.Min(got), slices.Max(got)
	if least < 2*time.Second || most > 6*time.Second || most-least < 2*time.Second {
		t.Errorf("got waits from %v to %v, want them spread from 2s to 6s", least, most)
	}
}

package porter_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stoa/video/internal/porter"
)

func TestOnlyWhatCanBeAKeyIsLookedUp(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]bool{
		"0f8c7b6e-5d4a": true, "~!": true, strings.Repeat("k", 128): true,
		"": false, "a b": false, "a\x00b": false, "clé": false, "\xff": false, strings.Repeat("k", 129): false,
	} {
		if got := porter.IsKey(key); got != want {
			t.Errorf("%q: got %v, want %v", key, got, want)
		}
	}
}

func TestTheLogHasNoWholeKey(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"0f8c7b6e": "0f8c…", "0f": "0f…", "": "…"} {
		if got := porter.Hint(key); got != want {
			t.Errorf("%q: got %q, want %q", key, got, want)
		}
	}
}

func TestPanicsAreTold(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	fall := func(why any) (fell bool) {
		defer func() { fell = porter.Panicked(log, recover()) }()
		if why != nil {
			panic(why)
		}
		return false
	}
	if fall(nil) || out.Len() > 0 {
		t.Errorf("got a panic where there was none: %s", &out)
	}
	if !fall("the door fell off") || !strings.Contains(out.String(), "the door fell off") {
		t.Errorf("got log %s, want the panic", &out)
	}
}

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := porter.NewPatience(15*time.Second, time.Minute)
		check := func(after time.Duration, want error) {
			t.Helper()
			time.Sleep(after)
			if got := p.Check(); got != want {
				t.Errorf("got %v, want %v", got, want)
			}
		}
		check(15*time.Second, nil)
		p.Heard()
		check(15*time.Second, nil)
		check(1, porter.ErrSilence)
		p.End()
		check(time.Minute, nil)
		check(1, porter.ErrEnded)
	})
}

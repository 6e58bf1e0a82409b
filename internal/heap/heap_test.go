package heap

import (
	"context"
	"runtime/debug"
	"testing"
	"time"
)

func TestPercent(t *testing.T) {
	for _, test := range []struct {
		name        string
		live, slack uint64
		want        int
	}{
		{"nothing live yet", 0, 64 << 20, 1600},
		{"little live", 8 << 20, 64 << 20, 800},
		{"as much live as slack", 64 << 20, 64 << 20, 100},
		{"more live than slack: Go's own pace", 1 << 30, 64 << 20, 100},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := percent(test.live, test.slack); got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestPaceGivesBackTheOldPercent(t *testing.T) {
	before := debug.SetGCPercent(123)
	defer debug.SetGCPercent(before)
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	if err := Pace(ctx, 64<<20); err != nil {
		t.Fatal(err)
	}
	if got := debug.SetGCPercent(100); got != 123 {
		t.Errorf("got %d, want 123 as before", got)
	}
}

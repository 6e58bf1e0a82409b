// Package heap paces the garbage collector of a server.
//
// A server that keeps little and allocates much, as one that answers small calls
// does, collects after every few megabytes: Go lets the heap grow by what is live,
// and 4 MB at the least. Letting it grow by a fixed amount instead costs that
// much memory and spares most of the collections. With more live than that, Go's
// own rule is the more generous one and stays.
package heap

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// usual is Go's own pace: collect when the heap has doubled.
const usual = 100

// Pace lets the heap grow by at least slack bytes between two collections, until
// the context ends.
func Pace(ctx context.Context, slack uint64) error {
	defer debug.SetGCPercent(debug.SetGCPercent(percent(live(), slack)))
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			debug.SetGCPercent(percent(live(), slack))
		}
	}
}

// percent is what makes slack of so many live bytes.
func percent(live, slack uint64) int {
	const least = 4 << 20 // Go scales this smallest heap by the percentage as well
	return max(usual, int(slack*100/max(live, least)))
}

// live is the size of what the last collection kept.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

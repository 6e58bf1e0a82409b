package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"
)

// latencyScript watches in a browser.
const latencyScript = "bench/video/latency.mjs"

// measureLatency has a browser watch a clock that is in the picture.
func measureLatency(ctx context.Context, s settings) error {
	t := newTable("what", "behind the camera: p50 s", "wanted", "p95 s", "most s", "stalls")
	for _, kind := range []struct {
		name, wanted, fragment string
		settings               []string
	}{
		{"passed through, 720p", "≤ 2", "", nil},
		{"ladder of 480p and 240p, the latter watched", "≤ 4", ";max-quality:240", []string{"--video-live-ladder", "480,240"}},
	} {
		seen, err := watchClock(ctx, s, kind.fragment, kind.settings...)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		slices.Sort(seen.Latencies)
		n := len(seen.Latencies)
		at := func(part int) string { return fmt.Sprintf("%.2f", seen.Latencies[min(n-1, n*part/100)]/1000) }
		t.add(kind.name, at(50), kind.wanted, at(95), at(100), strconv.Itoa(seen.Stalls))
	}
	fmt.Printf("\nLive: from a frame's making to its being seen in Chromium, %v long\n\n", s.live)
	return t.print()
}

// seen is what the browser reports.
type seen struct {
	Latencies []float64 // milliseconds
	Stalls    int
	Height    int // of the picture
}

func watchClock(ctx context.Context, s settings, fragment string, settings ...string) (result seen, err error) {
	studio, err := openStudio(ctx, s.program, settings...)
	if err != nil {
		return result, err
	}
	defer studio.shut()
	stream, err := studio.newStream(ctx)
	if err != nil {
		return result, err
	}
	stop, err := pushClock(ctx, stream.ingest)
	if err != nil {
		return result, err
	}
	defer stop()
	if err := studio.awaitAir(ctx, stream); err != nil {
		return result, err
	}
	address := fmt.Sprintf("http://%s/live/%s?muted=true#autoplay%s", studio.site.Address, stream.id, fragment)
	cmd := exec.CommandContext(ctx, "node", latencyScript, address, strconv.Itoa(int(s.live.Seconds())))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return result, fmt.Errorf("%s: %w; run npm ci in test/browser, and this from the root of the repository", latencyScript, err)
	}
	if err := json.Unmarshal(out, &result); err != nil {
		return result, err
	}
	if len(result.Latencies) == 0 {
		return result, fmt.Errorf("the browser saw no clock")
	}
	fmt.Fprintf(os.Stderr, "%d lines, %d readings, %d stalls\n", result.Height, len(result.Latencies), result.Stalls)
	return result, nil
}

// The picture with the clock: its bits, the highest first, are cells from left to right,
// white for 1, in a band at mid-height.
const (
	clockWidth, clockHeight = 1280, 720
	clockBits               = 20 // of the milliseconds since 1970
	clockRate               = 30
)

// pushClock films the clock: each frame has the time at which it is made.
func pushClock(ctx context.Context, to string) (stop func(), err error) {
	cmd := ffmpeg(ctx, "-f", "rawvideo", "-pix_fmt", "gray", "-s", fmt.Sprintf("%dx%d", clockWidth, clockHeight), "-r", strconv.Itoa(clockRate), "-i", "pipe:0",
		"-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p",
		"-g", strconv.Itoa(2*clockRate), "-b:v", "1500k", "-c:a", "aac", "-b:a", "128k", "-flush_packets", "1", "-f", "flv", to)
	cmd.Args = slices.DeleteFunc(cmd.Args, func(arg string) bool { return arg == "-nostdin" })
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	filming, cut := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		film(filming, in)
		in.Close()
	}()
	return func() {
		cut()
		<-done
		end(cmd)
	}, nil
}

func film(ctx context.Context, to io.Writer) {
	tick := time.NewTicker(time.Second / clockRate)
	defer tick.Stop()
	frame := make([]byte, clockWidth*clockHeight)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		paintClock(frame, time.Now().UnixMilli())
		if _, err := to.Write(frame); err != nil {
			return
		}
	}
}

// paintClock writes the time into the picture.
func paintClock(frame []byte, ms int64) {
	const cell = clockWidth / clockBits
	row := frame[clockHeight/3*clockWidth:][:clockWidth]
	for bit := range clockBits {
		colour := byte(16)
		if ms>>(clockBits-1-bit)&1 == 1 {
			colour = 235
		}
		copy(row[bit*cell:], bytes.Repeat([]byte{colour}, cell))
	}
	for y := clockHeight/3 + 1; y < clockHeight*2/3; y++ {
		copy(frame[y*clockWidth:], row)
	}
}

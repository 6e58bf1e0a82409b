package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// studio is a server that takes broadcasts.
type studio struct {
	site *server
	rtmp string // address of its port
	shut func()
}

// liveStream is one that films can be pushed to.
type liveStream struct {
	id     string
	ingest string // address to push to
}

func openStudio(ctx context.Context, program string, settings ...string) (*studio, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	st := &studio{rtmp: port}
	settings = append(settings, "--rtmp-listen", port)
	_, st.site, st.shut, err = openHome(ctx, program, settings...)
	return st, err
}

// freePort is an address on this machine that nobody listens at.
func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func (st *studio) newStream(ctx context.Context) (liveStream, error) {
	var made struct{ LiveStreamID, StreamKey string }
	err := st.site.call(ctx, "POST", "/live-streams", `{"name":"bench"}`, &made)
	return liveStream{made.LiveStreamID, fmt.Sprintf("rtmp://%s/s/%s", st.rtmp, made.StreamKey)}, err
}

// awaitAir waits until viewers can begin.
func (st *studio) awaitAir(ctx context.Context, of liveStream) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err := until(ctx, 50*time.Millisecond, func() (bool, error) {
		_, there, err := st.site.isThere(ctx, "/live/"+of.id+".m3u8")
		return there, err
	})
	if err != nil {
		return fmt.Errorf("the broadcast does not begin: %w", err)
	}
	return nil
}

// makeClip is a film that is pushed over and over: encoded once, so that pushing costs
// little.
func makeClip(ctx context.Context, dir string) (string, error) {
	name := filepath.Join(dir, "clip.flv")
	return name, ffmpeg(ctx, "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30,format=yuv420p", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000",
		"-t", "20", "-c:v", "libx264", "-preset", "superfast", "-b:v", "2500k", "-minrate", "2500k", "-maxrate", "2500k", "-bufsize", "2500k", "-nal-hrd", "cbr",
		"-g", "60", "-keyint_min", "60", "-sc_threshold", "0", "-bf", "0", "-c:a", "aac", "-b:a", "128k", "-f", "flv", "-y", name).Run()
}

// push sends a clip as a camera would, until it is stopped.
func push(ctx context.Context, clip, to string) (stop func(), err error) {
	cmd := ffmpeg(ctx, "-re", "-stream_loop", "-1", "-i", clip, "-c", "copy", "-f", "flv", to)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return func() { end(cmd) }, nil
}

// end interrupts a program, and waits until it is over.
func end(cmd *exec.Cmd) {
	_ = cmd.Process.Signal(os.Interrupt)
	defer time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() }).Stop()
	_ = cmd.Wait()
}

// airBare measures ffmpegs that make HLS of what is pushed to them, one for each stream.
func airBare(ctx context.Context, s settings, clip, dir string, streams int) (aired, error) {
	var servers []*server
	for n := range streams {
		port, err := freePort()
		if err != nil {
			return aired{}, err
		}
		out, err := os.MkdirTemp(dir, "bare-*")
		if err != nil {
			return aired{}, err
		}
		address := fmt.Sprintf("rtmp://%s/s/key%d", port, n)
		cmd := ffmpeg(ctx, "-loglevel", "fatal", "-listen", "1", "-i", address, "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_list_size", "1800",
			"-hls_segment_type", "fmp4", filepath.Join(out, "list.m3u8"))
		if err := cmd.Start(); err != nil {
			return aired{}, err
		}
		defer end(cmd)
		if err := awaitPort(ctx, port); err != nil {
			return aired{}, err
		}
		stop, err := push(ctx, clip, address)
		if err != nil {
			return aired{}, err
		}
		defer stop()
		servers = append(servers, &server{name: "ffmpeg", cmd: cmd})
	}
	return measureAired(ctx, s, streams, servers...)
}

// awaitPort waits until a port is taken. Who connects to see that would be taken for the
// publisher.
func awaitPort(ctx context.Context, address string) error {
	return until(ctx, 20*time.Millisecond, func() (bool, error) {
		l, err := net.Listen("tcp", address)
		if err != nil {
			return true, nil
		}
		return false, l.Close()
	})
}

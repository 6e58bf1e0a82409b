package srt_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gosrt "github.com/datarhei/gosrt"

	"github.com/bluenviron/mediacommon/v2/pkg/formats/mp4/codecs"

	"stoa/video/internal/crowd"
	"stoa/video/internal/ffmpeg/ffmpegtest"
	"stoa/video/internal/intake/intaketest"
	"stoa/video/internal/live"
	"stoa/video/internal/srt"
)

func TestMain(m *testing.M) { ffmpegtest.Main(m) }

const (
	key        = "4f1b-secret-key"
	passphrase = "correct horse battery"
)

// serve runs a server until the test ends, and answers its address.
func serve(t *testing.T, o srt.Options) string {
	t.Helper()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	l, err := srt.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- srt.NewServer(o).Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("got %v when the server was stopped", err)
		}
	})
	return l.Addr().String()
}

// film is three seconds of pictures and sound.
func film(t testing.TB) string {
	return ffmpegtest.Make(t, "film.ts",
		"-f", "lavfi", "-i", "testsrc=size=320x180:rate=25:duration=3", "-f", "lavfi", "-i", "sine=duration=3",
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac")
}

// publish runs ffmpeg as a publisher and answers what it says.
func publish(t *testing.T, address, streamID string, options ...string) (string, error) {
	t.Helper()
	args := slices.Concat([]string{"-nostdin", "-hide_banner", "-v", "error", "-re", "-i", film(t), "-c", "copy", "-f", "mpegts"},
		options, []string{"srt://" + address + "?pkt_size=1316&connect_timeout=30000&streamid=" + url.QueryEscape(streamID)})
	out, err := exec.Command("ffmpeg", args...).CombinedOutput()
	return string(out), err
}

func TestFFmpegPublishes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, streamID, set string
		options             []string
	}{
		{"with the bare key", key, "", nil},
		{"with a stream id of fields", "#!::r=" + key + ",m=publish", "", nil},
		{"encrypted", key, passphrase, []string{"-passphrase", passphrase, "-pbkeylen", "16"}},
		{"not encrypted, though it could be", key, passphrase, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			door := intaketest.NewDoor(key)
			address := serve(t, srt.Options{Door: door, Passphrase: test.set})
			if out, err := publish(t, address, test.streamID, test.options...); err != nil {
				t.Fatalf("ffmpeg: %v\n%s", err, out)
			}
			feed := door.Next(t)
			<-feed.Closed()
			starts, frames := feed.Kept()
			if len(starts) != 1 || len(starts[0]) != 2 {
				t.Fatalf("got formats %v", starts)
			}
			if _, ok := starts[0][0].(*codecs.H264); !ok {
				t.Errorf("got %T as picture", starts[0][0])
			}
			pictures := 0
			for _, f := range frames {
				if f.Track == 0 {
					pictures++
				}
			}
			// ffmpeg closes without waiting for what is on its way.
			if pictures < 15 || !frames[0].Key {
				t.Errorf("got %d pictures of 30, the first a key frame: %v", pictures, frames[0].Key)
			}
			if door.From.Protocol != "srt" || !strings.HasPrefix(door.From.Address, "127.0.0.1:") {
				t.Errorf("got publisher %+v", door.From)
			}
		})
	}
}

func TestCallersAreToldInTheHandshakeWhyTheyAreRefused(t *testing.T) {
	t.Parallel()
	busy := intaketest.NewDoor(key)
	busy.Err = live.ErrBusy
	slow := intaketest.NewDoor(key)
	slow.Wait = true
	for _, test := range []struct {
		name     string
		door     *intaketest.Door
		set      string
		streamID string
		phrase   string
		want     gosrt.RejectionReason
	}{
		{"wrong key", intaketest.NewDoor(key), "", "4f1b-wrong", "", gosrt.REJX_NOTFOUND},
		{"no key", intaketest.NewDoor(key), "", "", "", gosrt.REJX_BAD_REQUEST},
		{"wants to play", intaketest.NewDoor(key), "", "#!::r=" + key + ",m=request", "", gosrt.REJX_BAD_MODE},
		{"busy", busy, "", key, "", 1409},
		{"door does not answer", slow, "", key, "", gosrt.REJX_OVERLOAD},
		{"wrong passphrase", intaketest.NewDoor(key), passphrase, key, "wrong horse battery", gosrt.REJ_BADSECRET},
		{"encrypted, no passphrase set", intaketest.NewDoor(key), "", key, passphrase, gosrt.REJ_UNSECURE},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			address := serve(t, srt.Options{Door: test.door, Passphrase: test.set, Enter: 100 * time.Millisecond})
			config := gosrt.DefaultConfig()
			config.StreamId, config.Passphrase = test.streamID, test.phrase
			config.ConnectionTimeout = time.Minute
			conn, err := gosrt.Dial("srt", address, config)
			if err == nil {
				conn.Close()
				t.Fatal("the caller was let in")
			}
			if want := rejection(test.want); !strings.Contains(err.Error(), want) {
				t.Errorf("got %q, want %q in it", err, want)
			}
			if len(test.door.Feeds) > 0 {
				t.Error("the door was opened")
			}
		})
	}
}

func TestFFmpegFailsWithAWrongKey(t *testing.T) {
	t.Parallel()
	address := serve(t, srt.Options{Door: intaketest.NewDoor(key)})
	if out, err := publish(t, address, "4f1b-wrong"); err == nil {
		t.Errorf("ffmpeg went through: %s", out)
	}
}

// dial is a publisher that sends what the test wants.
func dial(t *testing.T, address string) gosrt.Conn {
	t.Helper()
	config := gosrt.DefaultConfig()
	config.StreamId = key
	config.ConnectionTimeout = time.Minute
	conn, err := gosrt.Dial("srt", address, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// send writes packets at a pace that no queue overflows at, until the peer has gone.
func send(conn gosrt.Conn, b []byte) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for piece := range slices.Chunk(b, 1316) {
		if _, err := conn.Write(piece); err != nil {
			return
		}
		<-tick.C
	}
}

// hungUp waits until the other side has closed the connection.
func hungUp(t *testing.T, conn gosrt.Conn) {
	t.Helper()
	gone := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, conn)
		close(gone)
	}()
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Error("the connection stays")
	}
}

func TestSilentPublishersAreCutOff(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	address := serve(t, srt.Options{Door: door, Silence: 200 * time.Millisecond})
	conn := dial(t, address)
	go send(conn, bytes.Repeat([]byte("no pictures "), 1<<16)) // bytes are not what counts
	hungUp(t, conn)
	<-door.Next(t).Closed()
}

func TestPublisherIsDismissed(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	conn := dial(t, serve(t, srt.Options{Door: door}))
	feed := door.Next(t)
	feed.Dismiss()
	hungUp(t, conn)
	<-feed.Closed()
}

func TestAfterTheEndOfTheBroadcastDataIsThrownAwayForAWhile(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	conn := dial(t, serve(t, srt.Options{Door: door, Discard: 300 * time.Millisecond}))
	feed := door.Next(t)
	b, err := os.ReadFile(film(t))
	if err != nil {
		t.Fatal(err)
	}
	go send(conn, bytes.Repeat(b, 20))
	feed.Await(t, func(_ [][]live.Format, frames []live.Frame) bool { return len(frames) > 0 })
	feed.End()
	hungUp(t, conn)
	<-feed.Closed()
}

func TestStoppingEndsPublishers(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	var conn gosrt.Conn
	t.Run("while it serves", func(t *testing.T) {
		address := serve(t, srt.Options{Door: door})
		config := gosrt.DefaultConfig()
		config.StreamId, config.ConnectionTimeout = key, time.Minute
		var err error
		if conn, err = gosrt.Dial("srt", address, config); err != nil {
			t.Fatal(err)
		}
	})
	hungUp(t, conn)
	<-door.Next(t).Closed()
}

func TestTooManyConnectionsAreRefused(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	log := new(intaketest.Log)
	address := serve(t, srt.Options{Door: door, PerAddress: 2, Log: log.Logger()})
	dial(t, address)
	dial(t, address)
	config := gosrt.DefaultConfig()
	config.StreamId, config.ConnectionTimeout = key, time.Minute
	if conn, err := gosrt.Dial("srt", address, config); err == nil {
		conn.Close()
		t.Error("the third was let in")
	}
	if text := log.String(); !strings.Contains(text, crowd.ErrAddress.Error()) {
		t.Errorf("got log %s, want %v", text, crowd.ErrAddress)
	}
}

func TestStrangeHandshakesEndNothing(t *testing.T) {
	t.Parallel()
	door := intaketest.NewDoor(key)
	address := serve(t, srt.Options{Door: door})
	stranger, err := net.Dial("udp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	conclusion := make([]byte, 16+48)
	conclusion[0] = 0x80                                     // a control packet: handshake
	copy(conclusion[16:], []byte{0, 0, 0, 5, 0, 0, 0, 1})    // version, extensions
	copy(conclusion[16+20:], []byte{0xff, 0xff, 0xff, 0xff}) // its type
	for size := range 64 {
		b := append(slices.Clone(conclusion), bytes.Repeat([]byte{0, 1}, size)[:size]...)
		if _, err := stranger.Write(b[:len(b)-size%3]); err != nil {
			t.Fatal(err)
		}
	}
	dial(t, address)
	door.Next(t)
}

// rejection is how the library writes a reason.
func rejection(reason gosrt.RejectionReason) string {
	return "REJECT (" + strconv.FormatUint(uint64(reason), 32) + ")"
}

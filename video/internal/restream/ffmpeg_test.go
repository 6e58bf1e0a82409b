package restream

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"

	"stoa/internal/certtest"
	"stoa/video/internal/live"
	"stoa/video/internal/rtmp"
)

// bridge lets a publisher in whose frames go on to a restream.
type bridge struct{ *Restream }

func (b bridge) Enter(context.Context, string, live.Publisher) (live.Feed, error) { return b, nil }

func (b bridge) Start(formats []live.Format) error { b.Restream.Start(formats); return nil }
func (b bridge) Write(f live.Frame) error          { b.Restream.Write(f); return nil }
func (bridge) Done() <-chan struct{}               { return nil }
func (bridge) Close()                              {}

// listen runs a server on this machine until the test ends.
func listen(t *testing.T, o rtmp.Options) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.Log = slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- rtmp.NewServer(o).Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return l.Addr().String()
}

func ffmpeg(t *testing.T, args string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("ffmpeg")
	if err != nil {
		t.Fatalf("ffmpeg is missing: run make deps (%v)", err)
	}
	return exec.CommandContext(t.Context(), path, append([]string{"-nostdin", "-hide_banner", "-v", "error"}, strings.Fields(args)...)...)
}

// TestFFmpegAsTarget has ffmpeg on both sides: what one encodes the other decodes.
func TestFFmpegAsTarget(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	far := "rtmp://" + l.Addr().String() + "/live"
	_ = l.Close()
	receiver := ffmpeg(t, "-listen 1 -i "+far+"/KEY?a=b -map 0:v -map 0:a -frames:v 30 -f framecrc -")
	type heard struct {
		out []byte
		err error
	}
	received := make(chan heard, 1)
	go func() {
		out, err := receiver.CombinedOutput()
		received <- heard{out, err}
	}()
	r, states := watch(t, Options{URL: far, Key: "KEY?a=b", Dial: (&net.Dialer{}).DialContext})
	until(t, states, Live)
	near := listen(t, rtmp.Options{Door: bridge{r}})
	sender := ffmpeg(t, "-f lavfi -i testsrc=size=160x120:rate=25:duration=2 -f lavfi -i sine=duration=2 -c:v libx264 -preset ultrafast -g 10 -bf 2 -pix_fmt yuv420p -c:a aac -f flv rtmp://"+near+"/s/any")
	if out, err := sender.CombinedOutput(); err != nil {
		t.Fatalf("sender: %v\n%s", err, out)
	}
	got := <-received
	if text := string(got.out); got.err != nil || strings.Count(text, "\n0, ") != 30 || strings.Count(text, "\n1, ") < 20 ||
		!strings.Contains(text, "#dimensions 0: 160x120") || strings.Contains(text, "rror") {
		t.Errorf("got %v, want 30 pictures of 160x120, and sound\n%s", got.err, text)
	}
}

// secure runs a target with TLS, and gives its address and who vouches for it.
func secure(t *testing.T) (g *target, address string, trusted *x509.CertPool) {
	t.Helper()
	authority, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files, err := authority.Issue("target", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(files.Cert, files.Key)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.ReadFile(authority.File)
	if err != nil {
		t.Fatal(err)
	}
	trusted = x509.NewCertPool()
	trusted.AppendCertsFromPEM(root)
	g = &target{feeds: make(chan *feed, 10)}
	return g, "rtmps://" + listen(t, rtmp.Options{Door: g, TLS: &tls.Config{Certificates: []tls.Certificate{pair}}}) + "/s", trusted
}

func TestTargetWithTLS(t *testing.T) {
	t.Parallel()
	g, address, trusted := secure(t)
	r, states := watch(t, Options{URL: address, Key: "good", Dial: (&net.Dialer{}).DialContext, TLS: &tls.Config{RootCAs: trusted}})
	r.Start(both)
	until(t, states, Live)
	f := <-g.feeds
	r.Write(picture(0, 100))
	r.Write(live.Frame{Track: 1, Key: true, Payload: []byte{1}})
	if frame := <-f.frames; !frame.Key || frame.DTS != 0 || numberOf(frame) != 0 {
		t.Errorf("got %v, want a key frame at 0", frame)
	}
}

func TestTargetWithUnknownCertificate(t *testing.T) {
	t.Parallel()
	_, address, _ := secure(t)
	_, states := watch(t, Options{URL: address, Key: "good", Dial: (&net.Dialer{}).DialContext})
	if s := until(t, states, Waiting); s.Err == nil || !strings.Contains(s.Err.Error(), "certificate") {
		t.Errorf("got %v, want its certificate to be the reason", s.Err)
	}
}

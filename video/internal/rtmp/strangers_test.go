package rtmp

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/bluenviron/gortmplib/pkg/amf0"
	"github.com/bluenviron/gortmplib/pkg/handshake"
)

// exchange writes bytes after a handshake, and waits for the end of the connection.
func exchange(t *testing.T, address string, after []byte) {
	t.Helper()
	nc, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if _, _, err := handshake.DoClient(nc, false, false); err != nil {
		t.Fatal(err)
	}
	_, _ = nc.Write(after)
	_, _ = io.Copy(io.Discard, nc)
}

func TestStrangersGetLittleMemory(t *testing.T) {
	t.Parallel()
	nested := append(amf0Head("connect"), append(bytes.Repeat([]byte{10, 0, 0, 0, 1}, 3000), 5)...) // lists in lists
	command := append([]byte{3, 0, 0, 0, 0, byte(len(nested) >> 8), byte(len(nested)), kindCommand, 0, 0, 0, 0}, nested...)
	streams := []byte{2, 0, 0, 0, 0, 0, 4, kindChunkSize, 0, 0, 0, 0, 0, 0, 0, 1} // chunks of one byte
	for id := byte(3); id < 64; id++ {
		streams = append(streams, id, 0, 0, 0, 0, 0x3f, 0xff, kindPicture, 0, 0, 0, 0, 0)
	}
	for name, c := range map[string]struct {
		after []byte
		want  string
	}{
		"a command of nested values":   {append([]byte{2, 0, 0, 0, 0, 0, 4, kindChunkSize, 0, 0, 0, 0, 0, 1, 0, 0}, command...), errCommand.Error()},
		"a long message":               {[]byte{3, 0, 0, 0, 0, 0x4e, 0x20, kindPicture, 0, 0, 0, 0}, "20000 bytes is too long"},
		"many messages at once":        {streams, "16383 bytes is too long"},
		"chunks of no size":            {[]byte{2, 0, 0, 0, 0, 0, 4, kindChunkSize, 0, 0, 0, 0, 0, 0, 0, 0}, "their size is 0"},
		"a chunk that goes on nowhere": {[]byte{0xc3, 0, 0, 0}, "what never began"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, Options{Door: newDoor()})
			exchange(t, s.address, c.after)
			s.stop()
			if text := s.log.String(); !strings.Contains(text, c.want) {
				t.Errorf("got log %s, want %q", text, c.want)
			}
		})
	}
}

// amf0Head is how a command begins.
func amf0Head(name string) []byte {
	b, err := amf0.Data{name, 1.0}.Marshal()
	if err != nil {
		panic(err)
	}
	return b
}

func TestPlayersAreRefused(t *testing.T) {
	t.Parallel()
	s := serve(t, Options{Door: newDoor()})
	out, err := ffmpeg(t, nil, "-i rtmp://"+s.address+"/s/"+testKey+" -f null -")
	if err == nil || !strings.Contains(out, "nothing is played by RTMP") {
		t.Errorf("got %v, want ffmpeg to be told\n%s", err, out)
	}
}

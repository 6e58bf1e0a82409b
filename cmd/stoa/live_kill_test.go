package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	apivideo "github.com/apivideo/api.video-go-client"
)

// A server that is killed in the middle of a broadcast loses what it had not stored yet:
// the publisher goes on with the next one, and there is one recording.
func TestKilledServerGoesOnWithItsBroadcast(t *testing.T) {
	t.Parallel()
	c := newCrew(t, []string{"serve", "video"})
	stream, err := c.client().LiveStreams.Create(apivideo.LiveStreamCreationPayload{Name: "Show"})
	if err != nil {
		t.Fatal(err)
	}
	first := c.publish(stream.GetStreamKey(), "60")
	c.until("three segments, of which the last may not be stored yet", func() bool { return strings.Count(c.liveList(stream), "#EXTINF:") >= 3 })
	c.end(c.members[0], os.Kill)
	_ = first.Wait() // its server has gone
	c.start(c.members[0])
	c.until("nobody broadcasts", func() bool {
		now, err := c.client().LiveStreams.Get(stream.LiveStreamId)
		return err == nil && !now.GetBroadcasting()
	})
	c.until("the publisher is let in again", func() bool { return c.publish(stream.GetStreamKey(), "3").Wait() == nil })
	c.complete(stream.LiveStreamId)
	var recordings *apivideo.VideosListResponse
	c.until("the recording", func() bool {
		recordings, err = c.client().Videos.List(apivideo.VideosApiListRequest{}.LiveStreamId(stream.LiveStreamId))
		return err == nil && len(recordings.Data) > 0
	})
	status, err := c.client().Videos.GetStatus(recordings.Data[0].VideoId)
	if err != nil || len(recordings.Data) != 1 || status.Encoding.Metadata.GetDuration() < 6 {
		t.Errorf("got %+v, %v want one recording of two segments and 3 s", status, err)
	}
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "error", "-i", recordings.Data[0].Assets.GetHls(), "-f", "null", "-").CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Errorf("the recording does not play: %v\n%s", err, out)
	}
}

// complete ends a broadcast.
func (c *crew) complete(id string) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPut, c.address()+"/live-streams/"+id+"/complete", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	request.SetBasicAuth(c.key, "")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusAccepted {
		c.t.Errorf("got %s want 202", answer.Status)
	}
}

// publish sends a picture and a tone by RTMP for some seconds.
func (c *crew) publish(key, seconds string) *exec.Cmd {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), "ffmpeg", "-nostdin", "-v", "quiet", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=10",
		"-f", "lavfi", "-i", "sine", "-t", seconds, "-c:v", "libx264", "-preset", "ultrafast", "-g", "10", "-c:a", "aac",
		"-f", "flv", fmt.Sprintf("rtmp://%s/s/%s", c.port("rtmp"), key))
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	return cmd
}

// port is where the server listens for something.
func (c *crew) port(name string) (address string) {
	c.t.Helper()
	c.until("the port for "+name, func() bool { address = c.members[0].log.address(name); return address != "" })
	return address
}

// liveList is the playlist of the picture, "" if there is none yet.
func (c *crew) liveList(stream *apivideo.LiveStream) string {
	master := c.page(stream.Assets.GetHls())
	for line := range strings.Lines(master) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			if !strings.HasPrefix(line, "http") {
				base, _, _ := strings.Cut(stream.Assets.GetHls(), "/live/")
				line = strings.TrimPrefix(line, "/live/")
				line = base + "/live/" + line
			}
			return c.page(line)
		}
	}
	return ""
}

func (c *crew) page(address string) string {
	response, err := http.Get(address)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return ""
	}
	return string(text)
}

func (c *crew) until(what string, happened func() bool) {
	c.t.Helper()
	for deadline := time.Now().Add(crewPatience); !happened(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.t.Fatalf("waited too long for %s", what)
		}
	}
}

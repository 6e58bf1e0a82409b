package app_test

import (
	"net"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	apivideo "github.com/apivideo/api.video-go-client"

	"stoa/app"
)

// An encoder publishes by RTMP, viewers watch, and the recording plays.
func TestLiveJourney(t *testing.T) {
	t.Parallel()
	settings := videoSettings(t.TempDir())
	settings.RTMPListen, settings.SRTListen, settings.WHIPListen = "127.0.0.1:0", "127.0.0.1:0", "127.0.0.1:0"
	p := newProcess(t)
	p.run(settings, nil, []string{"video"})
	address := "http://" + p.address("video")
	key := shownKey.FindStringSubmatch(p.log.String())[1]
	client := apivideo.ClientBuilder(key).BaseURL(address).Build()
	for _, door := range []string{"srt", "whip"} {
		if _, port, _ := net.SplitHostPort(p.address(door)); port == "0" || port == "" {
			t.Errorf("%s: got no port want one", door)
		}
	}

	stream, err := client.LiveStreams.Create(apivideo.LiveStreamCreationPayload{Name: "Show"})
	if err != nil {
		t.Fatal(err)
	}
	door := "rtmp://" + p.address("rtmp") + "/s/"
	publish := func(key string) *exec.Cmd {
		return exec.CommandContext(t.Context(), "ffmpeg", "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=10",
			"-f", "lavfi", "-i", "sine", "-t", "6", "-c:v", "libx264", "-preset", "ultrafast", "-g", "20", "-c:a", "aac", "-f", "flv", door+key)
	}
	if err := publish("00000000-0000-4000-8000-000000000000").Run(); err == nil {
		t.Error("got an unknown key let in want it refused")
	}
	sends := publish(stream.GetStreamKey())
	if err := sends.Start(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it can be watched", func() bool {
		return fetch(t, http.MethodGet, stream.Assets.GetHls(), "").code == http.StatusOK
	})
	if now, err := client.LiveStreams.Get(stream.LiveStreamId); err != nil || !now.GetBroadcasting() {
		t.Errorf("got %+v, %v want it broadcasting", now, err)
	}
	if err := sends.Wait(); err != nil {
		t.Error(err)
	}
	eventually(t, "the publisher has left", func() bool {
		now, err := client.LiveStreams.Get(stream.LiveStreamId)
		return err == nil && !now.GetBroadcasting()
	})
	complete, err := http.NewRequestWithContext(t.Context(), http.MethodPut, address+"/live-streams/"+stream.LiveStreamId+"/complete", nil)
	if err != nil {
		t.Fatal(err)
	}
	complete.SetBasicAuth(key, "")
	if answer, err := http.DefaultClient.Do(complete); err != nil || answer.Body.Close() != nil || answer.StatusCode != http.StatusAccepted {
		t.Fatalf("got %v, %v want 202", answer, err)
	}
	var recordings *apivideo.VideosListResponse
	eventually(t, "the recording", func() bool {
		recordings, err = client.Videos.List(apivideo.VideosApiListRequest{}.LiveStreamId(stream.LiveStreamId))
		return err == nil && len(recordings.Data) == 1
	})
	frames, err := exec.CommandContext(t.Context(), "ffprobe", "-v", "error", "-select_streams", "v:0", "-count_packets", "-show_entries", "stream=nb_read_packets",
		"-of", "csv=p=0", recordings.Data[0].Assets.GetHls()).CombinedOutput()
	if got := strings.Fields(string(frames)); err != nil || len(got) == 0 || got[0] != "60" {
		t.Errorf("got %s, %v want all 60 frames", frames, err)
	}
}

func TestDoorThatIsTakenSaysSo(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	settings := videoSettings(t.TempDir())
	settings.RTMPListen = app.DoorAddress(taken.Addr().String())
	p := newProcess(t)
	p.run(settings, nil, []string{"video"})
	<-p.ended
	if p.err == nil || !strings.Contains(p.err.Error(), "rtmp_listen") {
		t.Errorf("got %v want an error that names the setting", p.err)
	}
}

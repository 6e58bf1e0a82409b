package app_test

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	apivideo "github.com/apivideo/api.video-go-client"
)

func TestFiguresOfUploads(t *testing.T) {
	t.Parallel()
	settings := videoSettings(t.TempDir())
	p := newProcess(t)
	p.run(settings, nil, []string{"video"})
	j := &journey{t: t, address: "http://" + p.address("video"), key: shownKey.FindStringSubmatch(p.log.String())[1]}
	j.client = j.clientWith(smallestChunk)
	if got := j.send(j.create("no film", false), "this is no film", ""); got != http.StatusCreated {
		t.Fatalf("got %d, want 201", got)
	}
	for _, want := range []string{
		`stoa_video_upload_parts{environment="production"} 1`,
		`stoa_video_upload_bytes{environment="production"} 15`,
		`stoa_video_not_encoded{environment="production"} 1`,
		`stoa_jobs_failed{environment="production",kind="video.ingest",lane="encode"} 1`,
		`stoa_jobs_time_seconds_count{environment="production",kind="video.ingest",lane="encode"} 1`,
		`stoa_http_requests{environment="production",room="video",route="POST /videos/{videoId}/source",status="2xx"} 1`,
		`stoa_video_on_air{environment="production"} 0`,
	} {
		eventually(t, want, func() bool { return strings.Contains(p.get("debug", "/metrics").body, want+"\n") })
	}

	if err := os.RemoveAll(filepath.Join(settings.Data, "blobs")); err != nil {
		t.Fatal(err)
	}
	if got := j.send(j.create("no place", false), "this is no film", ""); got < 500 {
		t.Errorf("got %d, want that it cannot be stored", got)
	}
	if want := `stoa_files_errors{environment="production",operation="put"} 1`; !strings.Contains(p.get("debug", "/metrics").body, want+"\n") {
		t.Errorf("/metrics has no %s", want)
	}
	eventually(t, "the files are seen to be away", func() bool {
		return strings.Contains(p.get("debug", "/readyz?verbose").body, `"name":"files","state":"degraded"`)
	})
	if !strings.Contains(p.log.String(), "request_id=") {
		t.Error("the log of what failed has no id of the request")
	}
}

// send uploads a text, in a trace if it is given one, and tells the status.
func (j *journey) send(v *apivideo.Video, text, trace string) int {
	j.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "film.mp4")
	if err != nil {
		j.t.Fatal(err)
	}
	_, _ = io.WriteString(file, text)
	_ = form.Close()
	request, err := http.NewRequestWithContext(j.t.Context(), http.MethodPost, j.address+"/videos/"+v.VideoId+"/source", &body)
	if err != nil {
		j.t.Fatal(err)
	}
	request.SetBasicAuth(j.key, "")
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("traceparent", trace)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		j.t.Fatal(err)
	}
	defer response.Body.Close()
	return response.StatusCode
}

package app_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	apivideo "github.com/apivideo/api.video-go-client"

	"stoa/app"
	"stoa/internal/blob"
	"stoa/internal/blob/file"
	"stoa/internal/blob/s3"
	"stoa/internal/blob/s3/s3test"
	"stoa/internal/db/dbtest"
	"stoa/video"
)

// The film of the journey: NTSC's odd number of frames a second, and larger than the
// smallest chunk of the official client.
const (
	filmFrames = 300
	filmRate   = "30000/1001"
	frameTime  = 1001.0 / 30000
	filmTime   = filmFrames * frameTime
)

// encodingPatience is for machines that have other things to do.
const encodingPatience = 5 * time.Minute

// journey is the videos of one process, as the official client meets them.
type journey struct {
	t            *testing.T
	address, key string
	client       *apivideo.Client
	film         string
}

// What the official client sends at once.
const (
	smallestChunk = 5 << 20
	wholeFile     = 128 << 20 // larger than the film
)

func TestVideoFromUploadToDeletion(t *testing.T) {
	t.Parallel()
	film := makeFilm(t)
	t.Run("SQLite and a folder", func(t *testing.T) {
		t.Parallel()
		settings := videoSettings(t.TempDir())
		files, err := file.New(filepath.Join(settings.Data, "blobs"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { files.Close() })
		newJourney(t, settings, nil, film).run(files)
	})
	t.Run("PostgreSQL and S3", func(t *testing.T) {
		t.Parallel()
		bucket := s3test.Start(t).URL("films")
		settings := videoSettings(t.TempDir())
		settings.DB, settings.Blob = app.Database(dbtest.Postgres(t)), app.Files(bucket)
		config, err := s3.Parse(bucket)
		if err != nil {
			t.Fatal(err)
		}
		config.AccessKey, config.SecretKey = s3test.AccessKey, s3test.SecretKey
		files, err := s3.New(config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { files.Close() })
		keys := environ{"AWS_ACCESS_KEY_ID": s3test.AccessKey, "AWS_SECRET_ACCESS_KEY": s3test.SecretKey}
		newJourney(t, settings, keys, film).run(files)
	})
}

// videoSettings is videos in a folder, on a free port, without limits.
func videoSettings(data string) app.Settings {
	return app.Settings{
		Storage: app.Storage{Data: data, SecondListen: "off"}, VideoListen: "127.0.0.1:0", Limits: "off",
		Video: video.Config{Encoders: -1, KeepViews: time.Hour},
	}
}

var shownKey = regexp.MustCompile(`API key  (\w+)`)

// newJourney starts the videos, and calls them with the key that is shown.
func newJourney(t *testing.T, settings app.Settings, set environ, film string) *journey {
	t.Helper()
	p := newProcess(t)
	p.run(settings, set, []string{"video"})
	address := "http://" + p.address("video")
	shown := shownKey.FindStringSubmatch(p.log.String())
	if shown == nil {
		t.Fatal("no API key is shown")
	}
	j := &journey{t: t, address: address, key: shown[1], film: film}
	j.client = j.clientWith(smallestChunk)
	return j
}

func (j *journey) clientWith(chunk int64) *apivideo.Client {
	return apivideo.ClientBuilder(j.key).BaseURL(j.address).UploadChunkSize(chunk).Build()
}

// makeFilm makes a source of 480 lines.
func makeFilm(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "film.mp4")
	ffmpeg(t, "-f", "lavfi", "-i", "testsrc2=size=854x480:rate="+filmRate, "-f", "lavfi", "-i", "sine=frequency=440",
		"-frames:v", fmt.Sprint(filmFrames), "-t", fmt.Sprint(filmTime),
		"-c:v", "libx264", "-preset", "ultrafast", "-b:v", "6M", "-pix_fmt", "yuv420p", "-c:a", "aac", path)
	if info, err := os.Stat(path); err != nil || info.Size() <= smallestChunk {
		t.Fatalf("got a film of %d bytes, %v; want one that is sent in chunks", info.Size(), err)
	}
	return path
}

// ffmpeg runs the program, which has to have nothing to complain about.
func ffmpeg(t *testing.T, args ...string) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "ffmpeg", append([]string{"-nostdin", "-v", "error", "-y"}, args...)...).CombinedOutput()
	if err != nil || len(out) > 0 {
		t.Fatalf("ffmpeg %q: %v\n%s", args, err, out)
	}
}

// run uploads in chunks and as a whole, looks at everything that viewers get, and
// deletes it.
func (j *journey) run(files blob.Store) {
	chunked := j.create("In chunks", true)
	j.caption(chunked, "en", "Words in English")
	j.upload(chunked, smallestChunk)
	whole := j.create("As a whole", false)
	j.upload(whole, wholeFile)

	j.encoded(chunked, "hls 240p", "hls 360p", "hls 480p", "mp4 480p")
	j.encoded(whole, "hls 240p", "hls 360p", "hls 480p")
	master := j.wantRenditions(chunked)
	j.wantRenditions(whole)
	if !strings.Contains(master, `TYPE=SUBTITLES`) || !strings.Contains(master, `LANGUAGE="en"`) || !strings.Contains(master, `NAME="English"`) {
		j.t.Errorf("got the playlist\n%s\nwant the English captions in it", master)
	}
	j.wantMP4(chunked)

	addresses := append(j.addresses(chunked, master), whole.Assets.GetHls(), whole.Assets.GetPlayer(), whole.Assets.GetThumbnail())
	for _, address := range addresses {
		if got := fetch(j.t, http.MethodGet, address, ""); got.code != http.StatusOK {
			j.t.Errorf("%s: got %d, want 200", address, got.code)
		}
	}
	for _, v := range []*apivideo.Video{chunked, whole} {
		if err := j.client.Videos.Delete(v.VideoId); err != nil {
			j.t.Fatal(err)
		}
	}
	for _, address := range addresses {
		eventually(j.t, address+" is gone", func() bool { return fetch(j.t, http.MethodGet, address, "").code == http.StatusNotFound })
	}
	eventually(j.t, "nothing is left", func() bool { return len(keysIn(j.t, files)) == 0 })
}

func (j *journey) create(title string, mp4 bool) *apivideo.Video {
	j.t.Helper()
	v, err := j.client.Videos.Create(apivideo.VideoCreationPayload{Title: title, Mp4Support: &mp4})
	if err != nil {
		j.t.Fatal(err)
	}
	return v
}

func (j *journey) caption(v *apivideo.Video, language, text string) {
	j.t.Helper()
	track := fmt.Sprintf("WEBVTT\n\n00:00:00.000 --> 00:00:09.000\n%s\n", text)
	if _, err := j.client.Captions.Upload(v.VideoId, language, "words.vtt", strings.NewReader(track)); err != nil {
		j.t.Fatal(err)
	}
}

// upload sends the film in chunks of a size.
func (j *journey) upload(v *apivideo.Video, chunk int64) {
	j.t.Helper()
	f, err := os.Open(j.film)
	if err != nil {
		j.t.Fatal(err)
	}
	defer f.Close()
	if _, err := j.clientWith(chunk).Videos.UploadFile(v.VideoId, f); err != nil {
		j.t.Fatal(err)
	}
}

// encoded waits for exactly these qualities.
func (j *journey) encoded(v *apivideo.Video, want ...string) {
	j.t.Helper()
	var got []string
	for deadline := time.Now().Add(encodingPatience); ; time.Sleep(100 * time.Millisecond) {
		status, err := j.client.Videos.GetStatus(v.VideoId)
		if err != nil {
			j.t.Fatal(err)
		}
		done := len(status.Encoding.GetQualities()) > 0
		got = nil
		for _, q := range status.Encoding.GetQualities() {
			got = append(got, q.GetType()+" "+q.GetQuality())
			done = done && q.GetStatus() == "encoded"
			if q.GetStatus() == "failed" {
				j.t.Fatalf("%s of %s failed", q.GetQuality(), v.GetTitle())
			}
		}
		if done {
			break
		}
		if time.Now().After(deadline) {
			j.t.Fatalf("%s is not encoded within %v", v.GetTitle(), encodingPatience)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		j.t.Errorf("%s: got qualities %q, want %q", v.GetTitle(), got, want)
	}
}

// wantMP4 checks that the file can be played while it comes, and in parts.
func (j *journey) wantMP4(v *apivideo.Video) {
	j.t.Helper()
	got := fetch(j.t, http.MethodGet, v.Assets.GetMp4(), "")
	if got.code != http.StatusOK || got.header.Get("Content-Type") != "video/mp4" {
		j.t.Fatalf("the MP4: got %d %s, want 200 video/mp4", got.code, got.header.Get("Content-Type"))
	}
	if boxes := boxesOf(got.body); !regexp.MustCompile(`^ftyp (free )?moov .*mdat`).MatchString(boxes) {
		j.t.Errorf("got boxes %q, want moov before mdat", boxes)
	}
	request, err := http.NewRequestWithContext(j.t.Context(), http.MethodGet, v.Assets.GetMp4(), nil)
	if err != nil {
		j.t.Fatal(err)
	}
	request.Header.Set("Range", "bytes=100-199")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		j.t.Fatal(err)
	}
	defer response.Body.Close()
	if part, err := io.ReadAll(response.Body); err != nil || response.StatusCode != http.StatusPartialContent || string(part) != got.body[100:200] {
		j.t.Errorf("got %d with %d bytes, %v; want 206 with the bytes that were asked for", response.StatusCode, len(part), err)
	}
	p := probeFile(j.t, v.Assets.GetMp4())
	p.wantPicture(854, 480)
	p.wantSound()
}

// boxesOf is the names of the outer boxes of an MP4.
func boxesOf(film string) string {
	var names []string
	for len(film) >= 8 {
		size := uint64(binary.BigEndian.Uint32([]byte(film)))
		names = append(names, film[4:8])
		if size == 1 && len(film) >= 16 {
			size = binary.BigEndian.Uint64([]byte(film[8:16]))
		}
		if size < 8 || size > uint64(len(film)) {
			break
		}
		film = film[size:]
	}
	return strings.Join(names, " ")
}

// keysIn is the keys of everything that is stored.
func keysIn(t *testing.T, files blob.Store) []string {
	t.Helper()
	var keys []string
	for info, err := range files.List(context.WithoutCancel(t.Context()), "") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

package video_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	apivideo "github.com/apivideo/api.video-go-client"

	"stoa/internal/db"
)

// The official client sends small files whole and large ones in parts.
func TestOfficialClientUploads(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		client := apivideo.ClientBuilder(s.key).BaseURL(s.url).UploadChunkSize(5 * mib).Build().Videos
		small, large := film(1000), film(11*mib)
		for _, content := range [][]byte{small, large} {
			id := s.newVideo()
			name := filepath.Join(t.TempDir(), "film.mp4")
			if err := os.WriteFile(name, content, 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := os.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := client.UploadFile(id, file)
			_ = file.Close()
			if err != nil || got.VideoId != id {
				t.Fatalf("got %+v, %v want the video", got, err)
			}
			s.wantSource(id, content, "uploaded")
		}
		id := s.newVideo()
		stream, err := client.CreateUploadStream(id)
		if err != nil {
			t.Fatal(err)
		}
		sendStream(t, stream, large)
		s.wantSource(id, large, "uploaded")
		_, err = client.Upload(id, "again.mp4", bytes.NewReader(small), int64(len(small)))
		wantRefusal(t, err, 400, "videoId")
	})
}

// Its later pieces name no video when it uploads with a token, or name it behind the file.
func TestOfficialClientUploadsWithAToken(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		token := s.newToken()
		client := apivideo.ClientBuilder("").BaseURL(s.url).UploadChunkSize(5 * mib).Build().Videos
		for name, content := range map[string][]byte{"small.mp4": film(1000), "large.mp4": film(11 * mib)} {
			got, err := client.UploadWithUploadToken(token, name, bytes.NewReader(content), int64(len(content)))
			if err != nil {
				t.Fatal(err)
			}
			if got.GetTitle() != name {
				t.Errorf("got the title %q want %q", got.GetTitle(), name)
			}
			s.wantSource(got.VideoId, content, "uploaded")
		}
		stream, err := client.CreateUploadWithUploadTokenStream(token, nil)
		if err != nil {
			t.Fatal(err)
		}
		content := film(11 * mib)
		s.wantSource(sendStream(t, stream, content), content, "uploaded")
		if n := s.one(`SELECT count(*) FROM videos`); n != 3 {
			t.Errorf("got %d videos want 3", n)
		}
		s.wantNoLeftovers(7)
		_, err = client.UploadWithUploadToken("to0000000000000000000000", "x.mp4", bytes.NewReader(content[:9]), 9)
		wantRefusal(t, err, 401, "token")
	})
}

// sendStream sends three parts whose number is not known before the last, and returns the
// id of the video.
func sendStream(t *testing.T, stream apivideo.IUploadStream, content []byte) string {
	t.Helper()
	for _, part := range [][]byte{content[:5*mib], content[5*mib : 10*mib]} {
		if _, err := stream.UploadPart("film.mp4", bytes.NewReader(part), int64(len(part))); err != nil {
			t.Fatal(err)
		}
	}
	got, err := stream.UploadLastPart("film.mp4", bytes.NewReader(content[10*mib:]), int64(len(content)-10*mib))
	if err != nil {
		t.Fatal(err)
	}
	return got.VideoId
}

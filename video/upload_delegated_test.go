package video_test

import (
	"strings"
	"testing"
	"time"

	"stoa/internal/db"
	"stoa/video"
)

func TestUploadWithAToken(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		token := s.newToken()
		small := film(100)
		path := "/upload?token=" + token

		s.postFile("/upload", "", small).refused(401, "authentication-missing-upload-token", "token")
		s.postFile("/upload?token=nonsense", "", small).refused(401, "authentication-invalid-upload-token", "token")
		s.postFile(path, "part 0/1", small).refused(400, "video-content-range-by-part-part-zero", "Content-Range")
		s.postFile(path, "nonsense", small).refused(400, "video-content-range-malformed", "Content-Range")

		made := s.postFile(path, "", small, "videoId", "").want(201) // an empty field is as good as none
		if made["title"] != "film.mp4" || made["source"].(object)["type"] != "upload" {
			t.Errorf("got %v want a video with the name of the file", made)
		}
		s.wantSource(made["videoId"].(string), small, "uploaded")

		empty := s.newVideo()
		got := s.postFile(path, "", small, "videoId", empty).want(201)
		if got["videoId"] != empty || got["title"] != "a film" {
			t.Errorf("got %v want the video that was named", got)
		}
		s.postFile(path, "", small, "videoId", empty).refused(400, "video-source-already-uploaded", "videoId")
		s.postFile(path, "", small, "videoId", "vi0000000000000000000000").refused(400, "invalid-attribute", "videoId")
		s.postFile(path, "", small, "videoId", "../../x").refused(400, "invalid-attribute", "videoId")
		before := "--b\r\nContent-Disposition: form-data; name=\"videoId\"\r\n\r\n" + empty + "\r\n" + fileHead + "x\r\n"
		s.send(s.request(path, "", "multipart/form-data; boundary=b", strings.NewReader(before+"--b--\r\n"))).
			refused(400, "video-source-already-uploaded", "videoId")

		another := s.newVideo()
		before = strings.ReplaceAll(before, empty, another)
		twice := before + "--b\r\nContent-Disposition: form-data; name=\"videoId\"\r\n\r\n" + s.newVideo() + "\r\n--b--\r\n"
		s.send(s.request(path, "", "multipart/form-data; boundary=b", strings.NewReader(twice))).refused(400, "invalid-attribute", "videoId")
		s.send(s.request(path, "", "multipart/form-data; boundary=b", strings.NewReader(before+"--b--\r\n"))).want(201)
		if key := s.keys(another)[0]; !strings.HasPrefix(key, "video/"+another+"/") {
			t.Errorf("got %s want it among the files of the video", key)
		}

		stranger := s.newKey("stranger", "elsewhere")
		theirs := s.callAs(stranger, "POST", "/videos", object{"title": "theirs"}).want(201)["videoId"].(string)
		s.postFile(path, "", small, "videoId", theirs).refused(400, "invalid-attribute", "videoId")
		s.wantNoLeftovers(3)

		r := s.request(path, "", "text/plain", strings.NewReader("x"))
		r.Header.Set("Authorization", "Bearer of nothing")
		s.send(r).refused(400, "uploaded-file-no-file", "file")
		s.exec(`UPDATE video_upload_tokens SET expires_at = $1`, db.Micros(time.Now()))
		s.postFile(path, "", small).refused(401, "authentication-invalid-upload-token", "token")
	})
}

// The name of a file is any text, and becomes the title.
func TestNamesOfFilesAsTitles(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		path := "/upload?token=" + s.newToken()
		long := strings.Repeat("ж", 1500)
		for name, want := range map[string]string{
			"Ünï.mp4": "Ünï.mp4", "folder/": "video", "a\xffb": "a\uFFFDb", long: long[:2000], `C:\films\x.mp4`: "x.mp4",
		} {
			body, kind := fileForm(name, film(10))
			if got := s.send(s.request(path, "", kind, body)).want(201)["title"]; got != want {
				t.Errorf("%.20q: got the title %.20q want %.20q", name, got, want)
			}
		}
		nul := strings.Replace(fileHead, `filename="f"`, `filename*=UTF-8''a%00b`, 1) + "x\r\n--b--\r\n"
		if got := s.send(s.request(path, "", "multipart/form-data; boundary=b", strings.NewReader(nul))).want(201)["title"]; got != "a\uFFFDb" {
			t.Errorf("got the title %q want no NUL in it", got)
		}
	})
}

func TestPiecesThatNameNoVideo(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		path := "/upload?token=" + s.newToken()
		first := film(5 * mib)
		one := s.postFile(path, "part 1/2", first).want(201)["videoId"]

		other := s.postFile("/upload?token="+s.newToken(), "part 2/2", first[:9]).want(201)["videoId"]
		if other == one {
			t.Error("got a piece with another token taken, want a video of its own")
		}
		if got := s.postFile(path, "part 2/3", first).want(201)["videoId"]; got == one {
			t.Error("got a piece with another total taken, want a video of its own")
		}
		if got := s.postFile(path, "part 2/2", first[:9]).want(201)["videoId"]; got != one {
			t.Errorf("got %v want the last piece taken to the first", got)
		}
		s.wantSource(one.(string), append(first, first[:9]...), "uploaded")

		// With two of the same kind nobody can tell.
		two, three := s.postFile(path, "part 1/4", first).want(201)["videoId"], s.postFile(path, "part 1/4", first).want(201)["videoId"]
		if got := s.postFile(path, "part 2/4", first).want(201)["videoId"]; got == two || got == three || two == three {
			t.Errorf("got %v want a video of its own", got)
		}
	})
}

func TestUploadsWithATokenCountForTheProject(t *testing.T) {
	t.Parallel()
	s := newStudio(t, sqlite(t), func(o *video.Options) { o.Environment = "staging" }, limited(t))
	token := s.newToken()
	got := s.postFile("/upload?token="+token, "", film(10))
	if got.want(201); got.header.Get("X-RateLimit-Limit") != "40" {
		t.Errorf("got limit %q want the 40 uploads of a sandbox", got.header.Get("X-RateLimit-Limit"))
	}
	if got.want(201)["deletesAt"] == nil {
		t.Error("got a video of the sandbox that stays, want it gone in a day")
	}
}

package polls_test

import (
	"bytes"
	"image"
	"net/http"
	"strings"
	"testing"

	"stoa/internal/db"
)

// fetch gets an address of the site.
func (s *site) fetch(url any) answer {
	s.t.Helper()
	path, ok := strings.CutPrefix(url.(string), s.service.Origin)
	if !ok {
		s.t.Fatalf("got %v want an address of %s", url, s.service.Origin)
	}
	return s.send("GET", path, nil, nil)
}

// isPicture checks what a thumbnail is answered with.
func (s *site) isPicture(url any, width, height int) {
	s.t.Helper()
	got := s.fetch(url)
	config, _, err := image.DecodeConfig(bytes.NewReader(got.body))
	if got.status != http.StatusOK || err != nil || config.Width != width || config.Height != height {
		s.t.Errorf("got %d, %d x %d, %v of %v want %d x %d", got.status, config.Width, config.Height, err, url, width, height)
	}
	for name, want := range map[string]string{
		"Content-Type": "image/jpeg", "Cache-Control": "public, max-age=31536000, immutable",
		"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "default-src 'none'",
	} {
		if got.header.Get(name) != want {
			s.t.Errorf("got %s %q want %q", name, got.header.Get(name), want)
		}
	}
	tag := got.header.Get("ETag")
	path := strings.TrimPrefix(url.(string), s.service.Origin)
	if again := s.send("GET", path, http.Header{"If-None-Match": {tag}}, nil); tag == "" || again.status != http.StatusNotModified {
		s.t.Errorf("got %d for the tag %q want 304", again.status, tag)
	}
}

func TestWhoMayAnnounceAnImage(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann, bob := plantLogin(s, d, "ann"), plantLogin(s, d, "bob")
		draft, poll := ann.draft(nil), ann.ready(nil)
		path := pollPath(draft) + "/image_uploaded"
		s.call("POST", path, object{"image_id": draft["imageID"]}).refused(401, "authentication_required", "auth_token")
		ann.call("POST", path, nil).refused(422, "missing_parameter", "image_id")
		ann.call("POST", path, object{"image_id": "x"}).refused(400, "invalid_parameter", "image_id")
		ann.call("POST", path, object{"image_id": 999999}).refused(404, "image_not_found", "image_id")
		ann.call("POST", pollPath(poll)+"/image_uploaded", object{"image_id": 999999}).refused(404, "image_not_found", "image_id")
		bob.announce(draft, nil).refused(404, "poll_not_found", "poll_id")
		bob.announce(poll, nil).refused(403, "forbidden", "")
		for _, url := range []string{"ftp://example.com/a", "/a.jpg", "javascript:alert(1)", "https://" + strings.Repeat("a", 2048)} {
			ann.announce(draft, object{"second_image_context_url": url}).refused(422, "invalid_url", "second_image_context_url")
		}
		ann.announce(draft, object{"first_public_domain": "perhaps"}).refused(400, "invalid_parameter", "first_public_domain")

		bob.call("POST", pollPath(poll)+"/upload_data", nil).refused(403, "forbidden", "")
		bob.call("POST", pollPath(draft)+"/upload_data", nil).refused(404, "poll_not_found", "poll_id")
		ann.call("POST", pollPath(poll)+"/upload_data", nil).refused(409, "already_ready", "")
		ann.call("POST", pollPath(draft)+"/upload_data", object{"image_content_type": "text/html"}).refused(422, "image_invalid", "image_content_type")
	})
}

func TestImagesOfNobody(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		ann := plantLogin(s, d, "ann")
		poll := ann.ready(nil)
		good := s.call("GET", pollPath(poll), nil).object()["image"].(object)["url"].(string)
		for _, url := range []string{
			"/images/1-x-medium.jpg", "/images/x", "/images/-1", "/images/99999999999999999999-x", "/images/..%2fuploads",
			strings.TrimPrefix(strings.Replace(good, "medium", "original", 1), s.service.Origin),
			strings.TrimPrefix(strings.Replace(good, ".jpg", ".png", 1), s.service.Origin),
		} {
			if got := s.send("GET", url, nil, nil); got.status != http.StatusNotFound {
				t.Errorf("got %d of %s want 404", got.status, url)
			}
		}
		for _, original := range []string{"/storage/uploads", "/storage/uploads/" + poll["uploadData"].(object)["formData"].(object)["key"].(string)} {
			if got := s.send("GET", original, nil, nil); got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
				t.Errorf("got %d of %s want originals never served", got.status, original)
			}
		}
	})
}

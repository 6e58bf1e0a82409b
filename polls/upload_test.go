package polls_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/memory"
	"stoa/internal/db"
	"stoa/polls"
)

func TestImageThatCannotBeShown(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		files := memory.New()
		s := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
		ann := plantLogin(s, d, "ann")
		draft := ann.draft(nil)
		bomb := paint(16, 16)
		if at := bytes.Index(bomb, []byte{0xff, 0xc0}); at < 0 {
			t.Fatal("no frame header")
		} else {
			copy(bomb[at+5:], []byte{0x27, 0x10, 0x27, 0x10}) // 10,000 x 10,000
		}
		for name, file := range map[string][]byte{
			"SVG": []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>`), "HTML": []byte("<html><script>alert(1)</script>"),
			"truncated": somePicture[:len(somePicture)/2], "bomb": bomb, "small": paint(15, 15),
		} {
			if got := s.upload(draft, file); got.status != http.StatusNoContent {
				t.Fatalf("got %d %s want %s taken", got.status, got.body, name)
			}
			ann.announce(draft, nil).refused(422, "image_invalid", "")
			ann.announce(draft, nil).refused(409, "image_not_uploaded", "")
			if left := keys(t, files); len(left) != 0 {
				t.Errorf("got %v left of %s want nothing", left, name)
			}
		}
		s.upload(draft, somePicture)
		for _, key := range keys(t, files) { // somebody tidied the store by hand
			_ = files.Delete(t.Context(), key)
		}
		ann.announce(draft, nil).refused(409, "image_not_uploaded", "")
		if got := s.upload(draft, somePicture); got.status != http.StatusNoContent {
			t.Fatalf("got %d %s want the same form taken again", got.status, got.body)
		}
		ann.announce(draft, nil).object()
	})
}

func TestLastUploadWins(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		files := memory.New()
		s := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
		ann := plantLogin(s, d, "ann")
		draft := ann.draft(nil)
		s.upload(draft, paint(100, 50))
		s.upload(draft, paint(200, 50))
		fresh := ann.call("POST", pollPath(draft)+"/upload_data", nil).object()
		if fresh["success"] != true || fresh["imageID"] != draft["imageID"] {
			t.Errorf("got %v want the same image", fresh)
		}
		s.upload(fresh, paint(300, 50))
		if left := keys(t, files); len(left) != 1 {
			t.Errorf("got %v want one file", left)
		}
		asPNG := ann.call("POST", pollPath(draft)+"/upload_data", object{"image_content_type": "image/png"}).object()
		if got := s.upload(draft, paint(400, 50)); got.status != http.StatusForbidden {
			t.Errorf("got %d want the form of another type refused", got.status)
		}
		if got := asPNG["uploadData"].(object)["formData"].(object)["key"].(string); !strings.HasSuffix(got, ".png") {
			t.Errorf("got key %s want one that ends in .png", got)
		}
		var file bytes.Buffer
		_ = png.Encode(&file, image.NewNRGBA(image.Rect(0, 0, 32, 32))) // transparent
		s.upload(asPNG, file.Bytes())
		ann.announce(draft, nil).object()
		url := s.call("GET", pollPath(draft), nil).object()["image"].(object)["url"].(string)
		if got := s.fetch(url); got.header.Get("Content-Type") != "image/png" || !strings.HasSuffix(url, ".png") {
			t.Errorf("got %s of type %s want PNG", url, got.header.Get("Content-Type"))
		}
	})
}

func TestAnnouncementsAtOnce(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		var thumbs atomic.Int64
		files := watched{memory.New(), func(key string) {
			if strings.HasPrefix(key, "images/") {
				thumbs.Add(1)
			}
		}}
		var sites []*site
		for range 2 { // on SQLite two processes cannot be, but the lease does not know
			sites = append(sites, newSite(t, d, func(o *polls.Options) { o.Blobs = files }))
		}
		ann := plantLogin(sites[0], d, "ann")
		draft := ann.draft(nil)
		sites[0].upload(draft, paint(700, 100))
		answers := make([]answer, 6)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				who := ann
				who.site = sites[i%len(sites)]
				answers[i] = who.announce(draft, object{"first_image_full_url": fmt.Sprint("https://example.com/", i)})
			})
		}
		all.Wait()
		for _, got := range answers {
			got.object()
		}
		if got := thumbs.Load(); got != 2 {
			t.Errorf("got %d thumbnails stored want one pair", got)
		}
	})
}

// watched is a store that tells of every file before it is put.
type watched struct {
	blob.Store
	put func(key string)
}

func (w watched) Put(ctx context.Context, key string, r io.Reader, contentType string) (blob.Info, error) {
	w.put(key)
	return w.Store.Put(ctx, key, r, contentType)
}

// An upload that ends after its poll has become ready, or was deleted, is too late.
func TestLateUpload(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		files := memory.New()
		begun := make(chan struct{}, 10)
		s := newSite(t, d, func(o *polls.Options) { o.Blobs = watched{files, func(string) { begun <- struct{}{} }} })
		ann := plantLogin(s, d, "ann")
		for name, meanwhile := range map[string]func(draft object){
			"ready":   func(draft object) { ann.announce(draft, nil).object() },
			"deleted": func(draft object) { ann.call("DELETE", pollPath(draft), nil).object() },
		} {
			draft := ann.draft(nil)
			s.upload(draft, somePicture)
			body, contentType := form(t, draft["uploadData"].(object)["formData"].(object), paint(500, 500))
			all, _ := io.ReadAll(body)
			r, w := io.Pipe()
			for len(begun) > 0 {
				<-begun
			}
			go func() {
				_, _ = w.Write(all[:len(all)/2])
				<-begun
				meanwhile(draft)
				s.service.KeepHouse(t) // what it can find is gone by now
				_, _ = w.Write(all[len(all)/2:])
				_ = w.Close()
			}()
			got := s.send("POST", "/storage/uploads", http.Header{"Content-Type": {contentType}}, r)
			if got.status != http.StatusForbidden || !strings.Contains(string(got.body), "AccessDenied") {
				t.Errorf("got %d %s for a poll that is %s want 403", got.status, got.body, name)
			}
		}
		if left := keys(t, files); len(left) != 3 {
			t.Errorf("got %v want the files of the ready poll", left)
		}
	})
}

// Whatever comes first when a poll is uploaded to, announced and deleted at once:
// a ready poll has its files, and a deleted one has none.
func TestImageInAnyOrder(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		files := memory.New()
		s := newSite(t, d, func(o *polls.Options) { o.Blobs = files })
		ann := plantLogin(s, d, "ann")
		var drafts []object
		for range 6 {
			drafts = append(drafts, ann.draft(nil))
		}
		var all sync.WaitGroup
		for i, draft := range drafts {
			s.upload(draft, somePicture)
			for range 3 {
				all.Go(func() { s.upload(draft, somePicture) })
				all.Go(func() { ann.announce(draft, nil) })
			}
			if i%2 == 0 {
				all.Go(func() { ann.call("DELETE", pollPath(draft), nil).object() })
			}
		}
		all.Wait()
		for i, draft := range drafts {
			if i%2 == 0 {
				ann.call("GET", pollPath(draft), nil).refused(404, "poll_not_found", "poll_id")
				continue
			}
			ann.announce(draft, nil).object()
			s.isPicture(s.call("GET", pollPath(draft), nil).object()["image"].(object)["url"], 80, 40)
		}
		s.service.KeepHouse(t)
		if left := keys(t, files); len(left) != 3*3 {
			t.Errorf("got %v want the original and two thumbnails of each of three polls", left)
		}
	})
}

func keys(t *testing.T, files *memory.Store) (all []string) {
	t.Helper()
	for info, err := range files.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, info.Key)
	}
	return all
}

package video_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"stoa/internal/blob"
	"stoa/internal/blob/memory"
	"stoa/internal/db"
)

func TestCopyOutlivesItsOriginal(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		original, content := s.newVideo(), film(6*mib)
		s.postFile("/videos/"+original+"/source", "part 1/2", content[:5*mib]).want(201)
		early := s.newVideoFrom(original)
		if err := s.CopySource(t.Context(), early); err == nil || !strings.Contains(err.Error(), "again") {
			t.Errorf("got %v want to wait for the rest of the original", err)
		}
		s.postFile("/videos/"+original+"/source", "part 2/2", content[5*mib:]).want(201)
		late := s.newVideoFrom(original)
		s.call("DELETE", "/videos/"+original, nil).want(204)
		for _, id := range []string{early, late} {
			if err := s.RemoveDeleted(t.Context(), original); err == nil || !strings.Contains(err.Error(), "again") {
				t.Errorf("got %v want the source to stay for the copies", err)
			}
			if err := s.CopySource(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			s.wantSource(id, content, "ingested")
		}
		if err := s.RemoveDeleted(t.Context(), original); err != nil {
			t.Fatal(err)
		}
		s.wantNoLeftovers(4)
		s.postFile("/videos/"+early+"/source", "", content).refused(400, "video-source-already-copied", "videoId")
	})
}

func TestCopyOfWhatNeverHadASource(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newStudio(t, d)
		original := s.newVideo()
		id := s.newVideoFrom(original)
		s.call("DELETE", "/videos/"+original, nil).want(204)
		s.work()
		s.until("a quality that failed", func() bool {
			_, encoding := s.status(id)
			return len(encoding["qualities"].([]any)) > 0
		})
		if err := s.RemoveDeleted(t.Context(), original); err != nil {
			t.Errorf("got %v want a copy that failed to hold nothing", err)
		}
		s.call("POST", "/videos", object{"title": "x", "source": original}).refused(400, "invalid-attribute", "source")
	})
}

func TestDeletionEndsWhatCopies(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		store := &watched{Store: memory.New()}
		s := newStudioOn(t, d, store)
		original := s.newVideo()
		s.postFile("/videos/"+original+"/source", "", film(1000)).want(201)
		id := s.newVideoFrom(original)
		begun := make(chan bool)
		store.before = func(ctx context.Context, _ string) error {
			close(begun)
			<-ctx.Done()
			return ctx.Err()
		}
		done := make(chan error, 1)
		go func() { done <- s.CopySource(t.Context(), id) }()
		<-begun
		s.call("DELETE", "/videos/"+id, nil).want(204)
		s.wantSoon(done)
		s.wantNoLeftovers(1)
	})
}

func TestCopyingWaitsForTheStorage(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		store := &watched{Store: memory.New()}
		s := newStudioOn(t, d, store)
		original, content := s.newVideo(), film(1000)
		s.postFile("/videos/"+original+"/source", "", content).want(201)
		id := s.newVideoFrom(original)
		store.before = func(context.Context, string) error { return blob.ErrUnavailable }
		if err := s.CopySource(t.Context(), id); !errors.Is(err, untilThere) {
			t.Errorf("got %v want %v", err, untilThere)
		}
		store.before = nil
		if err := s.CopySource(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		s.wantSource(id, content, "ingested")
	})
}

package video_test

import (
	"errors"
	"testing"

	apivideo "github.com/apivideo/api.video-go-client"

	"stoa/internal/db"
	"stoa/video"
)

// newClient is the official client with the key of the site.
func newClient(s *site) *apivideo.Client {
	return apivideo.ClientBuilder(s.key).BaseURL(s.url).Build()
}

// wantRefusal checks an error of the client: its status, and the parameter it names.
func wantRefusal(t testing.TB, err error, status int, name string) {
	t.Helper()
	refusal, ok := errors.AsType[*apivideo.ErrorResponse](err)
	if !ok {
		t.Fatalf("got %v want a refusal", err)
	}
	if refusal.Response.StatusCode != status || refusal.Name != name {
		t.Errorf("got %d of %q want %d of %q", refusal.Response.StatusCode, refusal.Name, status, name)
	}
}

func TestOfficialClientOfVideos(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		plantPlayer(t, d, "plaaaaaaaaaaaaaaaaaaaaaa", video.DefaultProject)
		client := newClient(s).Videos
		made, err := client.Create(apivideo.VideoCreationPayload{
			Title: "Maths video", Description: new("numbers"), Public: new(false), Mp4Support: new(false), Panoramic: new(true),
			PlayerId: new("plaaaaaaaaaaaaaaaaaaaaaa"), Tags: &[]string{"maths", "string theory"},
			Metadata: &[]apivideo.Metadata{{Key: new("Author"), Value: new("John Doe")}},
			Clip:     &apivideo.VideoClip{StartTimecode: new("15"), EndTimecode: new("00:01:00")},
		})
		if err != nil {
			t.Fatal(err)
		}
		got, err := client.Get(made.VideoId)
		if err != nil {
			t.Fatal(err)
		}
		if got.GetTitle() != "Maths video" || got.GetDescription() != "numbers" || got.GetPublic() || got.GetMp4Support() || !got.GetPanoramic() ||
			len(got.GetTags()) != 2 || *got.GetMetadata()[0].Value != "John Doe" || got.GetCreatedAt() == "" {
			t.Errorf("got %+v want what was given", got)
		}

		changed, err := client.Update(made.VideoId, apivideo.VideoUpdatePayload{
			Title: new("Physics"), PlayerId: apivideo.PtrNullableStringNull(), Public: new(true), Tags: &[]string{},
		})
		if err != nil {
			t.Fatal(err)
		}
		if changed.GetTitle() != "Physics" || changed.PlayerId != nil || !changed.GetPublic() || len(changed.GetTags()) != 0 || changed.GetDescription() != "numbers" {
			t.Errorf("got %+v want what was given changed", changed)
		}

		list, err := client.List(apivideo.VideosApiListRequest{}.Title("phys").Metadata(map[string]string{"Author": "John Doe"}).
			SortBy("title").SortOrder("asc").CurrentPage(1).PageSize(10))
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Data) != 1 || list.Data[0].VideoId != made.VideoId || list.Pagination.GetItemsTotal() != 1 || len(list.Pagination.Links) != 3 {
			t.Errorf("got %+v want the one video", list)
		}

		status, err := client.GetStatus(made.VideoId)
		if err != nil {
			t.Fatal(err)
		}
		if status.Ingest.GetStatus() != "uploading" || status.Encoding.GetPlayable() {
			t.Errorf("got %+v want a video that waits for its source", status)
		}

		if err := client.Delete(made.VideoId); err != nil {
			t.Fatal(err)
		}
		_, err = client.Get(made.VideoId)
		wantRefusal(t, err, 404, "videoId")
		_, err = client.Create(apivideo.VideoCreationPayload{Title: ""})
		wantRefusal(t, err, 400, "title")
	})
}

func TestOfficialClientOfLiveStreams(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		client := newClient(s).LiveStreams
		list, err := client.List(apivideo.LiveStreamsApiListRequest{})
		if err != nil || len(list.Data) != 0 || list.Pagination.GetItemsTotal() != 0 {
			t.Errorf("got %+v, %v want an empty list", list, err)
		}
		_, err = client.Get("liaaaaaaaaaaaaaaaaaaaaaa")
		wantRefusal(t, err, 404, "liveStreamId")
		_, err = client.Update("liaaaaaaaaaaaaaaaaaaaaaa", apivideo.LiveStreamUpdatePayload{})
		wantRefusal(t, err, 404, "liveStreamId")
		wantRefusal(t, client.Delete("liaaaaaaaaaaaaaaaaaaaaaa"), 404, "liveStreamId")
		s.call("POST", "/live-streams", object{"name": "x"}).refused(404, "unrecognized-request-url", "")
		s.call("GET", "/live-streams?pageSize=0", nil).refused(400, "request-invalid-query-parameter", "pageSize")
		s.call("GET", "/live-streams?sortBy=title", nil).refused(400, "request-invalid-query-parameter", "sortBy")
		for _, path := range []string{"", "/liaaaaaaaaaaaaaaaaaaaaaa"} {
			s.callAs("", "GET", "/live-streams"+path, nil).refused(401, "authentication-missing-authorization-header", "")
		}
	})
}

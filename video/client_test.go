package video_test

import (
	"bytes"
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
		plantPlayer(t, d, "plaaaaaaaaaaaaaaaaaaaaaa", video.DefaultProject)
		client := newClient(s).LiveStreams
		elsewhere := apivideo.RestreamsRequestObject{Name: "Elsewhere", ServerUrl: "rtmp://live.example.com/app", StreamKey: "dw-dew8"}
		made := must(client.Create(apivideo.LiveStreamCreationPayload{
			Name: "Evening show", Public: new(false), PlayerId: new("plaaaaaaaaaaaaaaaaaaaaaa"), Restreams: &[]apivideo.RestreamsRequestObject{elsewhere},
		}))(t)
		got := must(client.Get(made.LiveStreamId))(t)
		if got.GetName() != "Evening show" || got.GetPublic() || got.GetBroadcasting() || got.GetPlayerId() != "plaaaaaaaaaaaaaaaaaaaaaa" ||
			got.GetStreamKey() != made.GetStreamKey() || len(got.Restreams) != 1 || *got.Restreams[0].StreamKey != "dw-dew8" || got.CreatedAt == nil {
			t.Errorf("got %+v want what was given", got)
		}
		if assets := got.GetAssets(); assets.GetHls() == "" || assets.GetHls() == made.Assets.GetHls() || assets.GetIframe() == "" {
			t.Errorf("got %+v want other addresses than %+v", assets, made.Assets)
		}

		must(client.Create(apivideo.LiveStreamCreationPayload{Name: "Morning show"}))(t)
		for _, request := range []apivideo.LiveStreamsApiListRequest{
			apivideo.LiveStreamsApiListRequest{}.Name("EVENING"),
			apivideo.LiveStreamsApiListRequest{}.StreamKey(made.GetStreamKey()),
			apivideo.LiveStreamsApiListRequest{}.SortBy("name").SortOrder("desc").CurrentPage(2).PageSize(1),
		} {
			if list := must(client.List(request))(t); len(list.Data) != 1 || list.Data[0].LiveStreamId != made.LiveStreamId {
				t.Errorf("%+v: got %+v want the one live stream", request, list)
			}
		}

		changed := must(client.Update(made.LiveStreamId, apivideo.LiveStreamUpdatePayload{
			Name: new("Late show"), Restreams: &[]apivideo.RestreamsRequestObject{elsewhere, elsewhere},
		}))(t)
		if changed.GetName() != "Late show" || len(changed.Restreams) != 2 || changed.GetPublic() {
			t.Errorf("got %+v want what was given changed", changed)
		}
		if emptied := must(client.Update(made.LiveStreamId, apivideo.LiveStreamUpdatePayload{Restreams: &[]apivideo.RestreamsRequestObject{}}))(t); len(emptied.Restreams) != 0 {
			t.Errorf("got %+v want no restreams", emptied)
		}
		if got := must(client.UploadThumbnail(made.LiveStreamId, "a.png", bytes.NewReader(pngFile(t, 8, 8))))(t); got.LiveStreamId != made.LiveStreamId {
			t.Errorf("got %+v want the live stream", got)
		}
		if got := must(client.DeleteThumbnail(made.LiveStreamId))(t); got.LiveStreamId != made.LiveStreamId {
			t.Errorf("got %+v want the live stream", got)
		}
		if err := client.Delete(made.LiveStreamId); err != nil {
			t.Error(err)
		}
		_, err := client.Get(made.LiveStreamId)
		wantRefusal(t, err, 404, "liveStreamId")
		elsewhere.ServerUrl = "https://example.com"
		_, err = client.Create(apivideo.LiveStreamCreationPayload{Name: "x", Restreams: &[]apivideo.RestreamsRequestObject{elsewhere}})
		wantRefusal(t, err, 400, "restreams[0][serverUrl]")
	})
}

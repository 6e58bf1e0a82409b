package video_test

import (
	"bytes"
	"strings"
	"testing"

	apivideo "github.com/apivideo/api.video-go-client"

	"stoa/internal/db"
)

// must is a value that the official client has read.
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

func TestTheOfficialClientWithTextsAndThumbnails(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		client, id := newClient(s), s.newVideo("x")
		caption := must(client.Captions.Upload(id, "en", "en.vtt", strings.NewReader(vtt)))(t)
		if caption.GetSrclang() != "en" || caption.GetLanguageName() != "English" || caption.GetDefault() {
			t.Errorf("got %+v want an English caption", caption)
		}
		update := apivideo.CaptionsUpdatePayload{}
		update.SetDefault(true)
		if caption := must(client.Captions.Update(id, "en", update))(t); !caption.GetDefault() {
			t.Error("got no default want one")
		}
		if got := must(client.Captions.Get(id, "en"))(t); got.GetSrc() != s.url+"/vod/"+id+"/captions/en.vtt" {
			t.Errorf("got %s want the address of the file", got.GetSrc())
		}
		if got := must(client.Captions.List(id, apivideo.CaptionsApiListRequest{}.PageSize(10)))(t); len(got.GetData()) != 1 {
			t.Errorf("got %+v want one", got)
		}
		_, err := client.Captions.Get(id, "xx-nowhere")
		wantRefusal(t, err, 400, "language")
		if err := client.Captions.Delete(id, "en"); err != nil {
			t.Error(err)
		}

		chapter := must(client.Chapters.Upload(id, "fr", "fr.vtt", strings.NewReader(vtt)))(t)
		if got := must(client.Chapters.Get(id, "fr"))(t); got.GetUri() != chapter.GetUri() || got.GetLanguage() != "fr" {
			t.Errorf("got %+v want %+v", got, chapter)
		}
		if got := must(client.Chapters.List(id, apivideo.ChaptersApiListRequest{}))(t); len(got.GetData()) != 1 {
			t.Errorf("got %+v want one", got)
		}
		if err := client.Chapters.Delete(id, "fr"); err != nil {
			t.Error(err)
		}
		_, err = client.Chapters.Get(id, "fr")
		wantRefusal(t, err, 404, "language")

		if got := must(client.Videos.UploadThumbnail(id, "a.png", bytes.NewReader(pngFile(t, 8, 8))))(t); got.GetVideoId() != id {
			t.Errorf("got %s want %s", got.GetVideoId(), id)
		}
		if got := must(client.Videos.PickThumbnail(id, *apivideo.NewVideoThumbnailPickPayload("00:00:01")))(t); got.GetVideoId() != id {
			t.Errorf("got %s want %s", got.GetVideoId(), id)
		}
	})
}

func TestTheOfficialClientWithThemes(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		themes := newClient(s).PlayerThemes
		creation := apivideo.PlayerThemeCreationPayload{}
		creation.SetName("Mine")
		creation.SetForceLoop(true)
		theme := must(themes.Create(creation))(t)
		id := theme.GetPlayerId()
		if theme.GetName() != "Mine" || !theme.GetForceLoop() || !theme.GetEnableApi() || theme.GetTrackPlayed() != "rgba(88, 131, 255, .95)" {
			t.Errorf("got %+v want what was chosen and the rest as usual", theme)
		}
		update := apivideo.PlayerThemeUpdatePayload{}
		update.SetText("rgba(1, 2, 3, 1)")
		if got := must(themes.Update(id, update))(t); got.GetText() != "rgba(1, 2, 3, 1)" || got.GetName() != "Mine" {
			t.Errorf("got %+v want the text changed", got)
		}
		logo := must(themes.UploadLogo(id, new("https://example.com/"), "logo.png", bytes.NewReader(pngFile(t, 20, 10))))(t)
		if assets := logo.GetAssets(); assets.GetLink() != "https://example.com/" || s.get(assets.GetLogo()).status != 200 {
			t.Errorf("got %+v want the logo and its link", assets)
		}
		if err := themes.DeleteLogo(id); err != nil {
			t.Error(err)
		}
		list := must(themes.List(apivideo.PlayerThemesApiListRequest{}.SortBy("name").SortOrder("asc")))(t)
		if data := list.GetData(); len(data) != 1 || data[0].GetPlayerId() != id {
			t.Errorf("got %+v want the theme", data)
		}
		if err := themes.Delete(id); err != nil {
			t.Error(err)
		}
		_, err := themes.Get(id)
		wantRefusal(t, err, 404, "playerId")
	})
}

func TestTheOfficialClientWithTokensWatermarksAndWebhooks(t *testing.T) {
	eachEngine(t, func(t *testing.T, d *db.DB) {
		s := newSite(t, d)
		client := newClient(s)
		creation := apivideo.TokenCreationPayload{}
		for _, ttl := range []int32{0, 60} {
			creation.SetTtl(ttl)
			token := must(client.UploadTokens.CreateToken(creation))(t)
			if got := must(client.UploadTokens.GetToken(token.GetToken()))(t); got.GetTtl() != ttl || (got.ExpiresAt != nil && got.ExpiresAt.Get() != nil) != (ttl > 0) {
				t.Errorf("got %+v want one of %d s", got, ttl)
			}
		}
		tokens := must(client.UploadTokens.List(apivideo.UploadTokensApiListRequest{}.SortBy("ttl")))(t)
		if len(tokens.GetData()) != 2 {
			t.Errorf("got %+v want two", tokens)
		}
		if err := client.UploadTokens.DeleteToken(tokens.GetData()[0].GetToken()); err != nil {
			t.Error(err)
		}

		mark := must(client.Watermarks.Upload("mark.png", bytes.NewReader(pngFile(t, 8, 8))))(t)
		if list := must(client.Watermarks.List(apivideo.WatermarksApiListRequest{}.SortBy("createdAt")))(t); len(list.GetData()) != 1 {
			t.Errorf("got %+v want one", list)
		}
		if err := client.Watermarks.Delete(mark.GetWatermarkId()); err != nil {
			t.Error(err)
		}
		wantRefusal(t, client.Watermarks.Delete(mark.GetWatermarkId()), 404, "watermarkId")

		hook := must(client.Webhooks.Create(*apivideo.NewWebhooksCreationPayload([]string{qualityEvent}, "https://example.com/")))(t)
		if got := must(client.Webhooks.Get(hook.GetWebhookId()))(t); got.GetUrl() != "https://example.com/" || len(got.GetEvents()) != 1 {
			t.Errorf("got %+v want the webhook", got)
		}
		if list := must(client.Webhooks.List(apivideo.WebhooksApiListRequest{}.Events(qualityEvent)))(t); len(list.GetData()) != 1 {
			t.Errorf("got %+v want one", list)
		}
		if err := client.Webhooks.Delete(hook.GetWebhookId()); err != nil {
			t.Error(err)
		}
		_, err := client.Webhooks.Create(*apivideo.NewWebhooksCreationPayload([]string{"nothing"}, "https://example.com/"))
		wantRefusal(t, err, 400, "events[0]")
	})
}

package video

import (
	"fmt"
	"html"
	"time"
)

// jsonVideo is a video as the API shows it.
type jsonVideo struct {
	VideoID        string      `json:"videoId"`
	Title          string      `json:"title"`
	Description    string      `json:"description"`
	CreatedAt      moment      `json:"createdAt"`
	PublishedAt    moment      `json:"publishedAt"`
	UpdatedAt      moment      `json:"updatedAt"`
	Discarded      bool        `json:"discarded"`
	DiscardedAt    *moment     `json:"discardedAt"`
	DeletesAt      *moment     `json:"deletesAt"`
	Language       string      `json:"language,omitempty"`
	LanguageOrigin *string     `json:"languageOrigin"`
	Tags           []string    `json:"tags"`
	Metadata       []pair      `json:"metadata"`
	Source         jsonSource  `json:"source"`
	Assets         *jsonAssets `json:"assets"`
	PlayerID       string      `json:"playerId,omitempty"`
	Public         bool        `json:"public"`
	Panoramic      bool        `json:"panoramic"`
	MP4Support     bool        `json:"mp4Support"`
}

type jsonSource struct {
	URI        string          `json:"uri"`
	Type       string          `json:"type,omitempty"`
	LiveStream *jsonLiveSource `json:"liveStream,omitempty"`
}

type jsonLiveSource struct {
	LiveStreamID string     `json:"liveStreamId"`
	Links        []jsonLink `json:"links"`
}

type jsonLink struct {
	Rel string `json:"rel"`
	URI string `json:"uri"`
}

type jsonAssets struct {
	HLS       string `json:"hls"`
	Iframe    string `json:"iframe"`
	Player    string `json:"player"`
	Thumbnail string `json:"thumbnail"`
	MP4       string `json:"mp4,omitempty"`
}

// answer is how a video is shown. A private one gets a new token with every answer.
func (s *Service) answer(v *video) jsonVideo {
	a := jsonVideo{
		VideoID: v.id, Title: v.title, Description: v.description,
		CreatedAt: momentOf(v.created), PublishedAt: momentOf(v.published), UpdatedAt: momentOf(v.updated),
		Discarded: v.state == videoDiscarded, DiscardedAt: optionalMoment(v.discarded), DeletesAt: optionalMoment(v.deletes),
		Language: v.language, Tags: v.tags, Metadata: v.metadata, Source: v.source.answer(v),
		PlayerID: v.playerID, Public: v.public, Panoramic: v.panoramic, MP4Support: v.mp4,
	}
	if v.language != "" {
		a.LanguageOrigin = new("api")
	}
	if a.Tags == nil {
		a.Tags = []string{}
	}
	if a.Metadata == nil {
		a.Metadata = []pair{}
	}
	if v.state == videoThere {
		a.Assets = s.assets(v)
	}
	return a
}

func (src source) answer(v *video) jsonSource {
	a := jsonSource{URI: "/videos/" + v.id + "/source", Type: src.kind}
	if v.liveStreamID != "" {
		link := jsonLink{"self", "/live-streams/" + v.liveStreamID}
		a.LiveStream = &jsonLiveSource{v.liveStreamID, []jsonLink{link}}
	}
	return a
}

// placeOf is the address that those of a video's files begin with, and that of its
// player. Those of a private one have a new token in them.
func (s *Service) placeOf(v *video) (files, player string) {
	base := s.Origin + "/vod/" + v.id
	if v.public {
		return base, base
	}
	token := s.newPrivateToken(v.id, time.Now()).String()
	return base + "/token/" + token, base + "?token=" + token
}

// assets is where a video can be had.
func (s *Service) assets(v *video) *jsonAssets {
	base, player := s.placeOf(v)
	a := &jsonAssets{
		HLS: base + "/hls/manifest.m3u8", Iframe: iframeOf(player), Player: player, Thumbnail: base + "/thumbnail.jpg",
	}
	if v.mp4 {
		a.MP4 = base + "/mp4/source.mp4"
	}
	return a
}

// iframeOf is the HTML that shows a player on a page.
func iframeOf(player string) string {
	return fmt.Sprintf(`<iframe src="%s" width="100%%" height="100%%" frameborder="0" scrolling="no" allowfullscreen="true"></iframe>`,
		html.EscapeString(player))
}

package video

import "time"

// jsonLiveStream is a live stream as the API shows it.
type jsonLiveStream struct {
	LiveStreamID string         `json:"liveStreamId"`
	Name         string         `json:"name"`
	StreamKey    string         `json:"streamKey"`
	Public       bool           `json:"public"`
	Assets       jsonLiveAssets `json:"assets"`
	PlayerID     string         `json:"playerId,omitempty"`
	Broadcasting bool           `json:"broadcasting"`
	Restreams    []restream     `json:"restreams"`
	CreatedAt    moment         `json:"createdAt"`
	UpdatedAt    moment         `json:"updatedAt"`
}

type jsonLiveAssets struct {
	HLS       string `json:"hls"`
	Iframe    string `json:"iframe"`
	Player    string `json:"player"`
	Thumbnail string `json:"thumbnail"`
}

// liveAnswer is how a live stream is shown. A private one gets a new token with every
// answer.
func (s *Service) liveAnswer(l *liveStream) jsonLiveStream {
	return jsonLiveStream{
		LiveStreamID: l.id, Name: l.name, StreamKey: l.key, Public: l.public, Assets: s.liveAssets(l),
		PlayerID: l.playerID, Broadcasting: l.broadcasting(time.Now()), Restreams: l.restreams,
		CreatedAt: momentOf(l.created), UpdatedAt: momentOf(l.updated),
	}
}

// liveAssets is where a live stream can be watched.
func (s *Service) liveAssets(l *liveStream) jsonLiveAssets {
	files, player := s.Origin+"/live/"+l.id, s.Origin+"/live/"+l.id
	if !l.public {
		token := s.newPrivateToken(l.id, time.Now()).String()
		files, player = s.Origin+"/live/private/"+token+"/"+l.id, player+"?token="+token
	}
	return jsonLiveAssets{HLS: files + ".m3u8", Iframe: iframeOf(player), Player: player, Thumbnail: files + "/thumbnail.jpg"}
}

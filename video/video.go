package video

import (
	"context"
	"database/sql"
	"errors"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// video is a row with its tags and metadata.
type video struct {
	id, project  string
	state        videoState
	version      int64
	title        string
	description  string
	public       bool
	panoramic    bool
	mp4          bool // an MP4 is made and shown too
	playerID     string
	language     string
	liveStreamID string // of which it is the recording
	clip         string // JSON, "" none
	watermark    string // JSON, "" none
	thumbnail    string // names the file, "" none
	thumbnailAt  string // the timecode that somebody chose
	source       source
	created      int64 // microseconds, as are the others
	published    int64
	updated      int64
	discarded    int64 // 0: it is not
	deletes      int64

	tags     []string
	metadata []pair
}

// source is what is known of the file that a video is made of.
type source struct {
	kind   string // "" none yet, upload, url, copy, liveStream
	from   string // address or video id
	ingest ingestState
	form   string // how pieces are counted: "" none, whole, part, bytes
	total  int64  // parts or bytes, 0 not known
	token  string // the upload token, and the name of the file, of an upload
	name   string // whose pieces may come without the id of the video
	size   int64  // bytes, once all are there
}

type videoState int

const (
	videoThere videoState = iota
	videoDiscarded
	videoDeleted // what is left of it is being removed
)

type ingestState int

const (
	ingestOpen ingestState = iota // nothing, or some pieces
	ingestUploaded
	ingestRunning // is fetched or copied
	ingestDone
)

// pair is one of a video's metadata.
type pair struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// errNoVideo is the answer to an id that names no video of the project.
var errNoVideo = problem.NotFound("videoId")

// videoColumns are read by scanVideo.
const videoColumns = `id, project, state, version, title, description, public, panoramic, mp4_support, player_id, language,
	live_stream_id, clip, watermark, thumbnail, thumbnail_at, source_type, source_from, ingest, upload_form, upload_total,
	upload_token, upload_name, source_size, created_at, published_at, updated_at, discarded_at, deletes_at`

func scanVideo(row interface{ Scan(...any) error }) (*video, error) {
	v := new(video)
	err := row.Scan(&v.id, &v.project, &v.state, &v.version, &v.title, &v.description, &v.public, &v.panoramic, &v.mp4, &v.playerID, &v.language,
		&v.liveStreamID, &v.clip, &v.watermark, &v.thumbnail, &v.thumbnailAt, &v.source.kind, &v.source.from, &v.source.ingest, &v.source.form, &v.source.total,
		&v.source.token, &v.source.name, &v.source.size, &v.created, &v.published, &v.updated, &v.discarded, &v.deletes)
	return v, err
}

// findVideo reads a video of a project that is there: neither discarded nor deleted.
func (s *Service) findVideo(ctx context.Context, from reader, project, id string) (*video, error) {
	return s.oneVideo(ctx, from, id, ` AND project = $2 AND state = $3`, project, videoThere)
}

// lockVideo is findVideo for who is going to change it: in a transaction, until whose
// end nobody else does.
func (s *Service) lockVideo(ctx context.Context, tx *db.Tx, project, id string) (*video, error) {
	return s.oneVideo(ctx, tx, id, ` AND project = $2 AND state = $3`+s.db.ForUpdate(), project, videoThere)
}

func (s *Service) oneVideo(ctx context.Context, from reader, id, where string, args ...any) (*video, error) {
	if !isID(videoPrefix, id) {
		return nil, errNoVideo
	}
	v, err := scanVideo(from.QueryRow(ctx, `SELECT `+videoColumns+` FROM videos WHERE id = $1`+where, append([]any{id}, args...)...))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNoVideo
	}
	if err != nil {
		return nil, err
	}
	return v, readLabels(ctx, from, v)
}

// readLabels reads the tags and metadata of videos.
func readLabels(ctx context.Context, from reader, videos ...*video) error {
	if len(videos) == 0 {
		return nil
	}
	byID, ids := map[string]*video{}, make([]any, len(videos))
	for i, v := range videos {
		byID[v.id], ids[i] = v, v.id
	}
	in := placeholders(len(ids))
	err := eachRow(ctx, from, func(rows *sql.Rows) error {
		var id, tag string
		if err := rows.Scan(&id, &tag); err != nil {
			return err
		}
		byID[id].tags = append(byID[id].tags, tag)
		return nil
	}, `SELECT video_id, tag FROM video_tags WHERE video_id IN (`+in+`) ORDER BY video_id, position`, ids...)
	if err != nil {
		return err
	}
	return eachRow(ctx, from, func(rows *sql.Rows) error {
		var id string
		var p pair
		if err := rows.Scan(&id, &p.Key, &p.Value); err != nil {
			return err
		}
		byID[id].metadata = append(byID[id].metadata, p)
		return nil
	}, `SELECT video_id, key, value FROM video_metadata WHERE video_id IN (`+in+`) ORDER BY video_id, position`, ids...)
}

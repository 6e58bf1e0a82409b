package video

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// sandboxLife is how long a video of the sandbox is there.
const sandboxLife = 24 * time.Hour

// newVideo is a video as it is when nothing is said about it.
func (s *Service) newVideo(project string) *video {
	now := db.Micros(time.Now())
	v := &video{
		id: newID(videoPrefix), project: project, version: 1,
		public: true, mp4: true, created: now, published: now, updated: now,
	}
	v.deletes = s.expiry(v)
	return v
}

// expiry is when a video goes by itself, 0 for never.
func (s *Service) expiry(v *video) int64 {
	if !s.sandbox() {
		return 0
	}
	return v.created + sandboxLife.Microseconds()
}

// createVideo makes a video of the fields of a body, where null is as good as absent.
// One with a source is fetched or copied by itself.
func (s *Service) createVideo(ctx context.Context, project string, f fields) (*video, error) {
	maps.DeleteFunc(f, func(name string, _ json.RawMessage) bool { return f.null(name) })
	v := s.newVideo(project)
	problems := readVideo(f, v)
	if !f.has("title") {
		problems = append([]*problem.Error{problem.Required("title")}, problems...)
	}
	problems = append(problems, readClip(f, v)...)
	overlay, wrong := readOverlay(f, v)
	problems = append(problems, wrong...)
	problems = append(problems, readSource(f, v))
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		named, err := references{
			{"playerId", `SELECT 1 FROM video_players WHERE id = $1 AND project = $2`, v.playerID},
			{"watermark[id]", `SELECT 1 FROM video_watermarks WHERE id = $1 AND project = $2 AND deleted_at = 0`, overlay.ID},
			{"source", `SELECT 1 FROM videos WHERE id = $1 AND project = $2 AND state = 0`, v.source.copied()},
		}.check(ctx, tx, project)
		if err != nil {
			return err
		}
		if err := problem.All(append(problems, named...)...); err != nil {
			return err
		}
		if err := insertVideo(ctx, tx, v); err != nil {
			return err
		}
		return s.startIngest(ctx, tx, v)
	})
	return v, err
}

// insertVideo stores a new video with its tags and metadata.
func insertVideo(ctx context.Context, tx *db.Tx, v *video) error {
	_, err := tx.Exec(ctx, `INSERT INTO videos (`+videoColumns+`, title_key, title_order, description_key) VALUES (`+placeholders(32)+`)`,
		v.id, v.project, v.state, v.version, v.title, v.description, v.public, v.panoramic, v.mp4, v.playerID, v.language,
		v.liveStreamID, v.clip, v.watermark, v.thumbnail, v.thumbnailAt, v.source.kind, v.source.from, v.source.ingest, v.source.form, v.source.total,
		v.source.token, v.source.name, v.source.size, v.created, v.published, v.updated, v.discarded, v.deletes,
		foldCase(v.title), titleOrder(v.title), foldCase(v.description))
	if err != nil {
		return err
	}
	if err := writeTags(ctx, tx, v); err != nil {
		return err
	}
	if err := writeMetadata(ctx, tx, v); err != nil {
		return err
	}
	return countVideos(ctx, tx, v.project, videoThere, 1)
}

// maxOrder is how many bytes of a title its place in a list depends on. PostgreSQL
// takes no key of an index above 2,700.
const maxOrder = 1000

// titleOrder is what titles are sorted by, as bytes: these have the same order in
// both databases and in all locales.
func titleOrder(title string) []byte {
	key := foldCase(title)
	return []byte(key[:min(len(key), maxOrder)])
}

// references are ids in a body, each with the query that finds it in a project.
type references []struct{ field, query, id string }

// check is a problem for each id that names nothing.
func (r references) check(ctx context.Context, tx *db.Tx, project string) (problems []*problem.Error, err error) {
	for _, ref := range r {
		if ref.id == "" {
			continue
		}
		there := false
		if checkText(ref.field, ref.id, 1, maxKey) == nil {
			err := tx.QueryRow(ctx, `SELECT EXISTS (`+ref.query+`)`, ref.id, project).Scan(&there)
			if err != nil {
				return nil, err
			}
		}
		if !there {
			problems = append(problems, problem.Attribute(ref.field, "There is nothing with this id: give one of your project."))
		}
	}
	return problems, nil
}

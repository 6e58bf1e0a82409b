package video

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"stoa/video/analytics"
)

// sandboxViews is how long the sandbox counts.
const sandboxViews = 24 * time.Hour

// openAnalytics opens the counts of who watched what.
func (s *Service) openAnalytics() error {
	keep := s.KeepViews
	if s.sandbox() && (keep == 0 || keep > sandboxViews) {
		keep = sandboxViews
	}
	var err error
	s.analytics, err = analytics.New(analytics.Options{
		DB: s.db, Log: s.log, Countries: s.Geo, Retention: keep, ClientAddress: s.clientAddress, Media: s.medias,
	})
	return err
}

// medias tells the analytics which of these ids are videos that can be watched, and
// whose they are.
func (s *Service) medias(ctx context.Context, ids []string) (map[string]analytics.Media, error) {
	found := make(map[string]analytics.Media, len(ids))
	if len(ids) == 0 {
		return found, nil
	}
	var args []any
	for _, id := range ids {
		args = append(args, id)
	}
	err := eachRow(ctx, s.db, func(rows *sql.Rows) error {
		var id, project string
		var tag sql.NullString
		if err := rows.Scan(&id, &project, &tag); err != nil {
			return err
		}
		media := found[id]
		media.Project = project
		if tag.Valid {
			media.Tags = append(media.Tags, tag.String)
		}
		found[id] = media
		return nil
	}, `SELECT v.id, v.project, t.tag FROM videos v LEFT JOIN video_tags t ON t.video_id = v.id
		WHERE v.id IN (`+placeholders(len(ids))+`) AND v.state = $`+strconv.Itoa(len(ids)+1), append(args, videoThere)...)
	return found, err
}

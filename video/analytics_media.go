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

// medias tells the analytics which of these ids are videos and live streams that can be
// watched, and whose they are.
func (s *Service) medias(ctx context.Context, ids []string) (map[string]analytics.Media, error) {
	found := make(map[string]analytics.Media, len(ids))
	var videos, streams []any
	for _, id := range ids {
		if isID(liveStreamPrefix, id) {
			streams = append(streams, id)
		} else {
			videos = append(videos, id)
		}
	}
	if err := s.findVideoMedias(ctx, found, videos); err != nil {
		return nil, err
	}
	return found, s.findLiveMedias(ctx, found, streams)
}

func (s *Service) findVideoMedias(ctx context.Context, found map[string]analytics.Media, ids []any) error {
	if len(ids) == 0 {
		return nil
	}
	return eachRow(ctx, s.db, func(rows *sql.Rows) error {
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
		WHERE v.id IN (`+placeholders(len(ids))+`) AND v.state = $`+strconv.Itoa(len(ids)+1), append(ids, videoThere)...)
}

func (s *Service) findLiveMedias(ctx context.Context, found map[string]analytics.Media, ids []any) error {
	if len(ids) == 0 {
		return nil
	}
	return eachRow(ctx, s.db, func(rows *sql.Rows) error {
		var id, project string
		err := rows.Scan(&id, &project)
		found[id] = analytics.Media{Project: project, Live: true}
		return err
	}, `SELECT id, project FROM live_streams WHERE id IN (`+placeholders(len(ids))+`)`, ids...)
}

package video

import (
	"context"
	"database/sql"
	"net/url"

	"stoa/video/internal/problem"
)

// readLiveStreamList reads a query for a page of the live streams of a project. A filter
// without a value is none.
func readLiveStreamList(q url.Values, project string) (list, error) {
	key, name := q.Get("streamKey"), q.Get("name")
	l, err := readPage(q, `id`,
		map[string]string{"name": `name_order`, "createdAt": `created_at`, "updatedAt": `updated_at`})
	if err := problem.Join(err, problem.All(checkFilter("streamKey", key), checkFilter("name", name))); err != nil {
		return l, err
	}
	l.table, l.columns = `live_streams`, liveStreamColumns
	l.where, l.args = `project = $1`, []any{project}
	if key != "" {
		l.and(`stream_key = $%d`, key)
	}
	if name != "" {
		l.and(`name_key LIKE $%d ESCAPE '\'`, containing(foldCase(name)))
	}
	return l, nil
}

// listLiveStreams is a page of live streams, and how many there are in all.
func (s *Service) listLiveStreams(ctx context.Context, l list) ([]*liveStream, int, error) {
	return pageOf(ctx, s.db, l, func(rows *sql.Rows) (*liveStream, error) { return scanLiveStream(rows) })
}

package video

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"

	"stoa/internal/db"
	"stoa/internal/web"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

// tag is a word that videos have, and how many do.
type tag struct {
	Value  string `json:"value"`
	Videos int    `json:"videoCount"`
}

// tagList asks for a page of a project's tags.
type tagList struct {
	project    string
	value      string // contained, whatever the case and the accents
	byCount    bool
	descending bool
	page       paging.Page
}

// listTags is a page of the tags of videos that are there, and how many tags there are.
func (s *Service) listTags(ctx context.Context, l tagList) (tags []tag, total int, err error) {
	direction := ""
	if l.descending {
		direction = " DESC"
	}
	order := "t.tag" + direction
	if l.byCount {
		order = "count(*)" + direction + ", t.tag"
	}
	const of = ` FROM video_tags t JOIN videos v ON v.id = t.video_id
		WHERE v.project = $1 AND v.state = $2 AND t.tag_key LIKE $3 ESCAPE '\'`
	args := []any{l.project, videoThere, containing(foldAccents(l.value))}
	err = s.db.InSnapshot(ctx, func(tx *db.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(DISTINCT t.tag)`+of, args...).Scan(&total); err != nil {
			return err
		}
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			var t tag
			err := rows.Scan(&t.Value, &t.Videos)
			tags = append(tags, t)
			return err
		}, fmt.Sprintf(`SELECT t.tag, count(*)%s GROUP BY t.tag ORDER BY %s LIMIT %d OFFSET %d`, of, order, l.page.Size, l.page.Offset()), args...)
	})
	return tags, total, err
}

func (s *Service) tagRoutes() web.Routes {
	return web.Routes{"GET /tags": s.read(s.getTags)}
}

func (s *Service) getTags(c *call) error {
	q := c.r.URL.Query()
	page, badPage := paging.Read(q)
	by, descending, badOrder := paging.Order(q, "value", "value", "videoCount")
	if err := problem.Join(badPage, badOrder, problem.All(checkFilter("value", q.Get("value")))); err != nil {
		return err
	}
	list := tagList{c.project, q.Get("value"), by == "videoCount", descending, page}
	tags, total, err := s.listTags(c.r.Context(), list)
	if err != nil {
		return err
	}
	return c.json(http.StatusOK, paging.Answer(c.r.URL, page, total, tags))
}

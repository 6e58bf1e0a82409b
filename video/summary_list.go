package video

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"slices"

	"stoa/internal/db"
	"stoa/video/internal/paging"
	"stoa/video/internal/problem"
)

// summaryList asks for a page of a project's summaries.
type summaryList struct {
	project                 string
	videoID, origin, status string // "": all
	column                  string // that it is sorted by
	descending              bool
	page                    paging.Page
}

var summaryOrders = map[string]string{"createdAt": "m.created_at", "updatedAt": "m.updated_at", "videoId": "m.video_id"}

// summaryStates are all that the API knows; most never come about here.
var summaryStates = []string{summaryMissing, "waiting", "failed", summaryCompleted, summaryUnprocessable}

func readSummaryList(q url.Values, project string) (summaryList, error) {
	l := summaryList{project: project, videoID: q.Get("videoId"), origin: q.Get("origin"), status: q.Get("sourceStatus")}
	page, badPage := paging.Read(q)
	by, descending, badOrder := paging.Order(q, "createdAt desc", "createdAt", "updatedAt", "videoId")
	l.page, l.column, l.descending = page, summaryOrders[by], descending
	problems := []*problem.Error{checkFilter("videoId", l.videoID)}
	if l.origin != "" && l.origin != originAPI && l.origin != originAuto {
		problems = append(problems, problem.Query("origin", "Ask for api or auto."))
	}
	if l.status != "" && !slices.Contains(summaryStates, l.status) {
		problems = append(problems, problem.Query("sourceStatus", "Ask for missing, waiting, failed, completed or unprocessable."))
	}
	return l, problem.Join(badPage, badOrder, problem.All(problems...))
}

// listSummaries is a page of summaries, and how many there are in all.
func (s *Service) listSummaries(ctx context.Context, l summaryList) (summaries []*summary, total int, err error) {
	const filter = ` AND ($3 = '' OR m.video_id = $3) AND ($4 = '' OR m.origin = $4) AND ($5 = '' OR m.status = $5)`
	args := []any{l.project, videoThere, l.videoID, l.origin, l.status}
	direction := ""
	if l.descending {
		direction = " DESC"
	}
	err = s.db.InSnapshot(ctx, func(tx *db.Tx) error {
		if err := tx.QueryRow(ctx, `SELECT count(*)`+summariesThere+filter, args...).Scan(&total); err != nil {
			return err
		}
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			m, err := scanSummary(rows)
			summaries = append(summaries, m)
			return err
		}, fmt.Sprintf(`%s%s ORDER BY %s%s, m.id%s LIMIT %d OFFSET %d`,
			selectSummaries, filter, l.column, direction, direction, l.page.Size, l.page.Offset()), args...)
	})
	return summaries, total, err
}

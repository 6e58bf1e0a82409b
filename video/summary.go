package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// summary is what somebody has written of what a video says.
type summary struct {
	ID        string `json:"summaryId"`
	Created   moment `json:"createdAt"`
	Updated   moment `json:"updatedAt"`
	VideoID   string `json:"videoId"`
	Origin    string `json:"origin"`
	Status    string `json:"sourceStatus"`
	abstract  string
	takeaways []string
}

// Origins and states of summaries. One that should be made from speech never is:
// nothing here listens to videos.
const (
	originAPI  = "api"
	originAuto = "auto"

	summaryMissing       = "missing" // until somebody writes it
	summaryCompleted     = "completed"
	summaryUnprocessable = "unprocessable"
)

// Bounds of what a summary says; lengths are in characters.
const (
	maxAbstract  = 20_000
	maxTakeaways = 3
	maxTakeaway  = 2000
)

var errNoSummary = problem.NotFound("summaryId")

// createSummary makes the summary of a video, of which there is one.
func (s *Service) createSummary(ctx context.Context, project, videoID, origin string) (*summary, error) {
	now := db.Micros(time.Now())
	m := &summary{
		ID: newID(summaryPrefix), Created: momentOf(now), Updated: momentOf(now),
		VideoID: videoID, Origin: originAPI, Status: summaryMissing,
	}
	if origin == originAuto {
		m.Origin, m.Status = originAuto, summaryUnprocessable
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockVideo(ctx, tx, project, videoID); errors.Is(err, errNoVideo) {
			return problem.All(problem.Attribute("videoId", "There is no video with this id: give one of your project."))
		} else if err != nil {
			return err
		}
		result, err := tx.Exec(ctx, `INSERT INTO video_summaries (id, project, video_id, origin, status, abstract, takeaways, created_at, updated_at)
			VALUES ($1, $2, $3, $4, $5, '', '[]', $6, $7) ON CONFLICT (video_id) DO NOTHING`,
			m.ID, project, videoID, m.Origin, m.Status, now, now)
		return changedOne(result, err, problem.SummaryExists)
	})
	return m, err
}

// findSummary reads a summary of a video that is there.
func (s *Service) findSummary(ctx context.Context, project, id string) (*summary, error) {
	return oneSummary(ctx, s.db, id, "", project)
}

// lockSummary is findSummary for who is going to change it.
func (s *Service) lockSummary(ctx context.Context, tx *db.Tx, project, id string) (*summary, error) {
	return oneSummary(ctx, tx, id, s.db.ForUpdate(), project)
}

func oneSummary(ctx context.Context, from reader, id, lock, project string) (*summary, error) {
	if !isID(summaryPrefix, id) {
		return nil, errNoSummary
	}
	m, err := scanSummary(from.QueryRow(ctx, selectSummaries+` AND m.id = $3`+lock, project, videoThere, id))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNoSummary
	}
	return m, err
}

const (
	summariesThere  = ` FROM video_summaries m JOIN videos v ON v.id = m.video_id WHERE m.project = $1 AND v.state = $2`
	selectSummaries = `SELECT m.id, m.created_at, m.updated_at, m.video_id, m.origin, m.status, m.abstract, m.takeaways` + summariesThere
)

func scanSummary(row interface{ Scan(...any) error }) (*summary, error) {
	var m summary
	var created, updated int64
	var takeaways string
	err := row.Scan(&m.ID, &created, &updated, &m.VideoID, &m.Origin, &m.Status, &m.abstract, &takeaways)
	if err != nil {
		return nil, err
	}
	m.Created, m.Updated = momentOf(created), momentOf(updated)
	if err := json.Unmarshal([]byte(takeaways), &m.takeaways); err != nil {
		return nil, fmt.Errorf("takeaways of %s: %w", m.ID, err)
	}
	return &m, nil
}

// writeSummary changes what a summary says: what is absent stays. It is complete then.
func (s *Service) writeSummary(ctx context.Context, project, id string, f fields) (m *summary, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if m, err = s.lockSummary(ctx, tx, project, id); err != nil {
			return err
		}
		if err := readSummary(f, m); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE video_summaries SET status = $2, abstract = $3, takeaways = $4, updated_at = $5 WHERE id = $1`,
			id, summaryCompleted, m.abstract, asJSON(m.takeaways), db.Micros(time.Now()))
		return err
	})
	return m, err
}

func readSummary(f fields, m *summary) error {
	problems := []*problem.Error{f.unset("abstract", &m.abstract), checkText("abstract", m.abstract, 0, maxAbstract)}
	return problem.All(append(problems, readTakeaways(f, m)...)...)
}

// readTakeaways replaces the takeaways of a summary by those of a body.
func readTakeaways(f fields, m *summary) (problems []*problem.Error) {
	if !f.has("takeaways") {
		return nil
	}
	m.takeaways = []string{}
	if p := f.read("takeaways", &m.takeaways, wantTexts); p != nil {
		return []*problem.Error{p}
	}
	if len(m.takeaways) > maxTakeaways {
		return []*problem.Error{problem.Attribute("takeaways", "There are %d takeaways: give at most %d.", len(m.takeaways), maxTakeaways)}
	}
	for i, t := range m.takeaways {
		problems = append(problems, checkText(fmt.Sprintf("takeaways[%d]", i), t, 1, maxTakeaway))
	}
	return problems
}

// deleteSummary removes a summary.
func (s *Service) deleteSummary(ctx context.Context, project, id string) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		if _, err := s.lockSummary(ctx, tx, project, id); err != nil {
			return err
		}
		result, err := tx.Exec(ctx, `DELETE FROM video_summaries WHERE id = $1`, id)
		return changedOne(result, err, errNoSummary)
	})
}

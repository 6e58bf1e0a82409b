package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"stoa/internal/db"
	"stoa/internal/egress"
	"stoa/video/internal/problem"
	"stoa/video/internal/webhook"
)

// hook is an address that is told of events.
type hook struct {
	id      string
	url     string
	events  []string
	secret  string // signs what is sent there
	created int64  // microseconds
}

const (
	maxHooks    = 50   // of a project
	maxHookURL  = 2048 // bytes
	maxEvents   = 100  // of a webhook, those that it names twice included
	hookPurpose = "webhook"
)

// errNoHook is the answer to an id that names no webhook of the project.
var errNoHook = problem.NotFound("webhookId")

// createHook makes a webhook of the fields of a body.
func (s *Service) createHook(ctx context.Context, project string, f fields) (hook, error) {
	h := hook{id: newID(webhookPrefix), secret: newID(hookSecretPrefix), created: db.Micros(time.Now())}
	if err := h.read(f); err != nil {
		return h, err
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.checkHooks(ctx, tx, project); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO video_webhooks (id, project, url, events, sealed, created_at) VALUES ($1, $2, $3, $4, $5, $6)`,
			h.id, project, h.url, asJSON(h.events), s.Box.Seal(hookPurpose, []byte(h.secret)), h.created)
		return err
	})
	return h, err
}

// checkHooks refuses one webhook too many. Two that are made at once wait for each
// other at the rows that are there, and the second sees the first when it counts.
func (s *Service) checkHooks(ctx context.Context, tx *db.Tx, project string) error {
	err := eachRow(ctx, tx, func(*sql.Rows) error { return nil },
		`SELECT id FROM video_webhooks WHERE project = $1 ORDER BY id`+s.db.ForUpdate(), project)
	if err != nil {
		return err
	}
	var n int
	err = tx.QueryRow(ctx, `SELECT count(*) FROM video_webhooks WHERE project = $1`, project).Scan(&n)
	if err == nil && n >= maxHooks {
		err = problem.WebhookLimit.WithDetail("A project can have %d webhooks.", maxHooks)
	}
	return err
}

// read takes the fields of a body.
func (h *hook) read(f fields) error {
	var problems []*problem.Error
	add := func(p *problem.Error) {
		if p != nil {
			problems = append(problems, p)
		}
	}
	if !f.has("events") || f.null("events") {
		add(problem.Required("events"))
	} else if p := f.read("events", &h.events, wantTexts); p != nil {
		add(p)
	} else {
		problems = append(problems, checkEvents(h.events)...)
	}
	if !f.has("url") || f.null("url") {
		add(problem.Required("url"))
	} else if p := f.read("url", &h.url, wantText); p != nil {
		add(p)
	} else if err := egress.CheckURL(h.url); err != nil {
		add(problem.Attribute("url", "%v", err))
	} else if len(h.url) > maxHookURL {
		add(problem.Attribute("url", "This address is too long: give at most %d bytes.", maxHookURL))
	}
	slices.Sort(h.events)
	h.events = slices.Compact(h.events)
	return problem.All(problems...)
}

func checkEvents(events []string) (problems []*problem.Error) {
	if len(events) == 0 {
		return []*problem.Error{problem.Attribute("events", "Name at least one event.")}
	}
	if len(events) > maxEvents {
		return []*problem.Error{problem.Attribute("events", "There are %d events: name at most %d.", len(events), maxEvents)}
	}
	for i, name := range events {
		if !webhook.Known(name) {
			problems = append(problems, problem.Attribute(fmt.Sprintf("events[%d]", i), "There is no such event: name one of %v.", webhook.Types))
		}
	}
	return problems
}

const hookColumns = `id, url, events, sealed, created_at`

func (s *Service) scanHook(row interface{ Scan(...any) error }) (h hook, err error) {
	var events string
	var sealed []byte
	if err := row.Scan(&h.id, &h.url, &events, &sealed, &h.created); err != nil {
		return h, err
	}
	secret, err := s.Box.Open(hookPurpose, sealed)
	if err != nil {
		return h, err
	}
	h.secret = string(secret)
	return h, json.Unmarshal([]byte(events), &h.events)
}

// listHooks is a page of the webhooks of a project: of those that are told of an
// event, or of all if it is "".
func (s *Service) listHooks(ctx context.Context, project, event string, l list) ([]hook, int, error) {
	l.table, l.columns = `video_webhooks`, hookColumns
	l.where, l.args = `project = $1`, []any{project}
	if event != "" {
		l.and(`events LIKE $%d`, listing(event))
	}
	return pageOf(ctx, s.db, l, func(rows *sql.Rows) (hook, error) { return s.scanHook(rows) })
}

// listing is the pattern of LIKE for lists of events with this one in it. Names of
// events have no character that means something there.
func listing(event string) string { return `%"` + event + `"%` }

// hook finds a webhook of a project.
func (s *Service) hook(ctx context.Context, project, id string) (hook, error) {
	if !isID(webhookPrefix, id) {
		return hook{}, errNoHook
	}
	h, err := s.scanHook(s.db.QueryRow(ctx, `SELECT `+hookColumns+` FROM video_webhooks WHERE id = $1 AND project = $2`, id, project))
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoHook
	}
	return h, err
}

// deleteHook forgets a webhook and what was to be sent there.
func (s *Service) deleteHook(ctx context.Context, project, id string) error {
	if !isID(webhookPrefix, id) {
		return errNoHook
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, `DELETE FROM video_webhooks WHERE id = $1 AND project = $2`, id, project)
		return changedOne(result, err, errNoHook)
	})
}

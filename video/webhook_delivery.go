package video

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"stoa/internal/db"
	"stoa/internal/egress"
	"stoa/internal/jobs"
	"stoa/video/internal/webhook"
)

// How events are delivered.
const (
	hookTries    = 4
	hookPause    = 3 * time.Second // between two tries
	hookTimeout  = 10 * time.Second
	hookLogLife  = 30 * 24 * time.Hour
	maxHookError = 500 // bytes
)

// HookLane is where events are delivered. Receivers may be slow, and nobody else is to
// wait for them.
const HookLane = "webhook"

// deliveryArgs is the job that delivers an event to a webhook.
type deliveryArgs struct {
	ID string `json:"id"`
}

func (deliveryArgs) Kind() string { return "video.webhook" }

// emit has an event told to the webhooks of a project that ask for it, if the
// transaction is committed.
func (s *Service) emit(ctx context.Context, tx *db.Tx, project string, e webhook.Event) error {
	var hooks []string
	err := eachRow(ctx, tx, func(rows *sql.Rows) error {
		var id string
		err := rows.Scan(&id)
		hooks = append(hooks, id)
		return err
	}, `SELECT id FROM video_webhooks WHERE project = $1 AND events LIKE $2 ORDER BY id`, project, listing(e.Type))
	if err != nil {
		return err
	}
	e.EmittedAt = time.Now()
	for _, id := range hooks {
		if err := s.enqueue(ctx, tx, id, Delivery{ID: newID(""), Event: e.Type, Body: string(e.Body()), Created: e.EmittedAt}); err != nil {
			return err
		}
	}
	return nil
}

// enqueue has a delivery that was not tried yet made by a job.
func (s *Service) enqueue(ctx context.Context, tx *db.Tx, webhookID string, d Delivery) error {
	_, err := tx.Exec(ctx, `INSERT INTO video_deliveries (id, webhook_id, event, body, tries, status, problem, done, again, created_at, updated_at)
		VALUES ($1, $2, $3, $4, 0, 0, '', FALSE, $5, $6, $6)`, d.ID, webhookID, d.Event, d.Body, d.Again, db.Micros(d.Created))
	if err != nil {
		return err
	}
	return s.Queue.Add(ctx, tx, deliveryArgs{d.ID})
}

// delivery is an event on its way to a webhook.
type delivery struct {
	id      string
	body    string
	tries   int // that are over
	done    bool
	project string
	to      hook
}

// deliver tries once to deliver an event, and comes again if that fails and was not
// the last try, or if others have to be served first. The count is stored, so that no
// restart begins it anew.
func (s *Service) deliver(ctx context.Context, args deliveryArgs) error {
	d, err := s.delivery(ctx, args.ID)
	if errors.Is(err, sql.ErrNoRows) { // its webhook was deleted
		return nil
	}
	if err != nil || d.done {
		return err
	}
	who := party{d.project, d.to.id}
	if rest := s.shares.enter(who); rest > 0 { // that was no try
		return jobs.Snooze(rest)
	}
	defer s.shares.leave(who)
	began := time.Now()
	status, failure := s.post(ctx, d)
	took := time.Since(began)
	if ctx.Err() != nil { // nobody knows what would have come of it
		return ctx.Err()
	}
	if failure == nil {
		s.metrics.hooksSent.Add(1)
	} else {
		s.metrics.hooksFailed.Add(1)
	}
	last := failure == nil || d.tries+1 >= hookTries
	if err := s.logTry(ctx, d, try{status, failure, took}, last); err != nil {
		return err
	}
	if last {
		return nil
	}
	return jobs.Snooze(hookPause)
}

func (s *Service) delivery(ctx context.Context, id string) (d delivery, err error) {
	var sealed []byte
	err = s.db.QueryRow(ctx, `SELECT d.id, d.body, d.tries, d.done, h.project, h.id, h.url, h.sealed
		FROM video_deliveries d JOIN video_webhooks h ON h.id = d.webhook_id WHERE d.id = $1`, id).
		Scan(&d.id, &d.body, &d.tries, &d.done, &d.project, &d.to.id, &d.to.url, &sealed)
	if err != nil {
		return d, err
	}
	secret, err := s.Box.Open(hookPurpose, sealed)
	d.to.secret = string(secret)
	return d, err
}

// post sends an event. What the receiver says beside the status does not matter.
func (s *Service) post(ctx context.Context, d delivery) (status int, failure error) {
	request, err := webhook.NewRequest(ctx, d.to.url, d.to.id, d.to.secret, []byte(d.body))
	if err != nil {
		return 0, err
	}
	response, err := s.hooks.Do(request)
	if err != nil {
		return 0, egress.Reason(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= http.StatusMultipleChoices {
		return response.StatusCode, fmt.Errorf("the answer was %s", response.Status)
	}
	return response.StatusCode, nil
}

// try is the outcome of one.
type try struct {
	status  int
	failure error
	took    time.Duration
}

// logTry stores the outcome of a try.
func (s *Service) logTry(ctx context.Context, d delivery, t try, last bool) error {
	reason := ""
	if t.failure != nil {
		reason = strings.ReplaceAll(t.failure.Error(), "\x00", "")
		reason = strings.ToValidUTF8(reason[:min(len(reason), maxHookError)], "")
		s.log.Info("webhook not delivered", "webhook_id", d.to.id, "try", d.tries+1, "status", t.status, "error", reason)
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE video_deliveries SET tries = $2, status = $3, problem = $4, took = $5, done = $6, updated_at = $7 WHERE id = $1`,
			d.id, d.tries+1, t.status, reason, t.took.Microseconds(), last, db.Micros(time.Now()))
		return err
	})
}

// sweepDeliveries forgets what was sent long ago.
func sweepDeliveries(ctx context.Context, tx *db.Tx, now time.Time) error {
	_, err := tx.Exec(ctx, `DELETE FROM video_deliveries WHERE created_at < $1`, db.Micros(now.Add(-hookLogLife)))
	return err
}

// newHookClient makes the client that events are sent with. It follows no redirect.
func newHookClient(d *egress.Dialer) *http.Client {
	return d.Client(egress.ClientOptions{Timeout: hookTimeout})
}

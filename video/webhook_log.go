package video

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
)

// Delivery is an event that was told to a webhook, or is going to be.
type Delivery struct {
	ID      string
	Event   string // its type
	Body    string // as it is sent and signed
	Tries   int    // that are over
	Status  int    // of the last answer, 0 none
	Problem string // why the last try failed, "" it did not
	Took    time.Duration
	Done    bool // there will be no further try
	Again   bool // an operator had it sent once more
	Created time.Time
	Updated time.Time
}

// LogQuery says which deliveries of a webhook are asked for.
type LogQuery struct {
	State string // delivered, failed or waiting; "" is all
	After string // the id of a delivery: those that are older; "" begins with the newest
	Limit int
}

// logStates is what each state means in the log.
var logStates = map[string]string{
	"":          ``,
	"delivered": ` AND done AND problem = ''`,
	"failed":    ` AND done AND problem <> ''`,
	"waiting":   ` AND NOT done`,
}

var (
	errNoHookHere  = fault.New(fault.NotFound, "there is no webhook of this id: it may have been deleted")
	errNoDelivery  = fault.New(fault.NotFound, "there is no such delivery to this webhook: they are kept for 30 days")
	errLogState    = fault.New(fault.Invalid, "the state of deliveries is delivered, failed or waiting")
	errStillTried  = fault.New(fault.Invalid, "this delivery is still tried by itself: wait until it has failed")
	errManyWaiting = fault.New(fault.Invalid, "%d deliveries that were sent again still wait: send more when the receiver has answered those", maxAgain)
)

// maxAgain is how many deliveries that were sent again may wait for one webhook.
const maxAgain = 20

const logColumns = `id, event, body, tries, status, problem, took, done, again, created_at, updated_at`

func scanDelivery(row interface{ Scan(...any) error }) (d Delivery, err error) {
	var took, created, updated int64
	err = row.Scan(&d.ID, &d.Event, &d.Body, &d.Tries, &d.Status, &d.Problem, &took, &d.Done, &d.Again, &created, &updated)
	d.Took, d.Created, d.Updated = time.Duration(took)*time.Microsecond, db.Time(created), db.Time(updated)
	return d, err
}

// Deliveries is what a webhook of any project was told, the newest first. The error is
// fault.NotFound for a webhook or a delivery that is not there.
func (s *Service) Deliveries(ctx context.Context, webhookID string, q LogQuery) (log []Delivery, err error) {
	condition, known := logStates[q.State]
	if !known {
		return nil, errLogState
	}
	err = s.db.InSnapshot(ctx, func(tx *db.Tx) error {
		if err := s.isHook(ctx, tx, webhookID, ""); err != nil {
			return err
		}
		args := []any{webhookID}
		if q.After != "" {
			last, err := loggedDelivery(ctx, tx, webhookID, q.After)
			if err != nil {
				return err
			}
			condition += ` AND (created_at, id) < ($2, $3)`
			args = append(args, db.Micros(last.Created), last.ID)
		}
		return eachRow(ctx, tx, func(rows *sql.Rows) error {
			d, err := scanDelivery(rows)
			log = append(log, d)
			return err
		}, fmt.Sprintf(`SELECT %s FROM video_deliveries WHERE webhook_id = $1%s ORDER BY created_at DESC, id DESC LIMIT %d`, logColumns, condition, q.Limit), args...)
	})
	return log, err
}

// isHook is nil if there is a webhook of this id.
func (s *Service) isHook(ctx context.Context, from reader, id, lock string) error {
	if !isID(webhookPrefix, id) {
		return errNoHookHere
	}
	var one int
	err := from.QueryRow(ctx, `SELECT 1 FROM video_webhooks WHERE id = $1`+lock, id).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoHookHere
	}
	return err
}

func loggedDelivery(ctx context.Context, from reader, webhookID, id string) (Delivery, error) {
	if !isID("", id) {
		return Delivery{}, errNoDelivery
	}
	d, err := scanDelivery(from.QueryRow(ctx, `SELECT `+logColumns+` FROM video_deliveries WHERE id = $1 AND webhook_id = $2`, id, webhookID))
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoDelivery
	}
	return d, err
}

// SendAgain has a delivery that is over made once more, with the same body, and returns
// the new one. The receiver may know it by what is in the body.
func (s *Service) SendAgain(ctx context.Context, webhookID, id string) (again Delivery, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := s.isHook(ctx, tx, webhookID, s.db.ForUpdate()); err != nil {
			return err
		}
		old, err := loggedDelivery(ctx, tx, webhookID, id)
		if err != nil {
			return err
		}
		if !old.Done {
			return errStillTried
		}
		var waiting int
		err = tx.QueryRow(ctx, `SELECT count(*) FROM video_deliveries WHERE webhook_id = $1 AND again AND NOT done`, webhookID).Scan(&waiting)
		if err == nil && waiting >= maxAgain {
			err = errManyWaiting
		}
		if err != nil {
			return err
		}
		now := time.UnixMicro(db.Micros(time.Now())).UTC()
		again = Delivery{ID: newID(""), Event: old.Event, Body: old.Body, Again: true, Created: now, Updated: now}
		return s.enqueue(ctx, tx, webhookID, again)
	})
	return again, err
}

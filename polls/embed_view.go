package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"stoa/internal/db"
	"stoa/polls/internal/credential"
)

// view is one showing of an embed's page to somebody.
type view struct {
	embed  int64
	id     string
	viewer credential.Voter
	at     int64 // microseconds
}

// viewBook writes views down, as many at once as have come while the last ones
// were written: pages are seen more often than they are voted on, and a commit
// each would keep votes waiting.
type viewBook struct {
	db      *db.DB
	writing sync.Mutex // held for a commit

	mu   sync.Mutex
	next *viewPage // to be written; nil: empty
}

type viewPage struct {
	views   []view
	written chan struct{}
	err     error
}

// record counts a view of which the page itself tells. One that is known already
// changes nothing. It returns after the commit.
func (b *viewBook) record(ctx context.Context, v view) error {
	b.mu.Lock()
	page, first := b.next, b.next == nil
	if first {
		page = &viewPage{written: make(chan struct{})}
		b.next = page
	}
	page.views = append(page.views, v)
	b.mu.Unlock()
	if first {
		b.write(context.WithoutCancel(ctx), page) // others wait for it too
		return page.err
	}
	select {
	case <-page.written:
		return page.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (b *viewBook) write(ctx context.Context, page *viewPage) {
	b.writing.Lock()
	defer b.writing.Unlock()
	b.mu.Lock()
	b.next = nil
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, countLimit)
	defer cancel()
	defer close(page.written)
	page.err = b.db.InTx(ctx, func(tx *db.Tx) error { return recordNewViews(ctx, tx, page.views) })
}

// see counts a view of an embed, unless what it shows is deleted.
func (s *Service) see(ctx context.Context, v view) error {
	if counts, err := embedCounts(ctx, s.db, v.embed); err != nil || !counts {
		return err
	}
	return s.views.record(ctx, v)
}

// embedCounts tells whether views of an embed count: not when its poll or set is deleted.
func embedCounts(ctx context.Context, q querier, id int64) (bool, error) {
	var found int
	err := q.QueryRow(ctx, `SELECT 1 FROM embeds LEFT JOIN polls ON polls.id = target_id LEFT JOIN poll_sets ON poll_sets.id = target_id
		WHERE embeds.id = $1 AND (kind <> 'poll' OR polls.state <> 2) AND (kind <> 'set' OR poll_sets.id IS NOT NULL)`, id).Scan(&found)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, fmt.Errorf("read embed %d: %w", id, err)
	}
	return err == nil, nil
}

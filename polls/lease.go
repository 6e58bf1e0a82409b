package polls

import (
	"context"
	"fmt"
	"time"

	"stoa/internal/db"
)

// leaseWait is how often somebody who waits for a lease asks for it.
const leaseWait = 50 * time.Millisecond

// tryLease takes the sole right to do something, over all processes. It is over
// when it is released, or after its life, should the process die. When somebody
// else has it, release is nil.
func (s *Service) tryLease(ctx context.Context, name string, life time.Duration) (release func(), err error) {
	holder, now := randomHex(8), time.Now()
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE leases.until < $4`,
			name, holder, db.Micros(now.Add(life)), db.Micros(now))
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return err
		}
		release = func() { s.releaseLease(ctx, name, holder) }
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("take the lease %s: %w", name, err)
	}
	return release, nil
}

// waitLease is tryLease for somebody who waits for his turn.
func (s *Service) waitLease(ctx context.Context, name string, life time.Duration) (release func(), err error) {
	for {
		if release, err = s.tryLease(ctx, name, life); release != nil || err != nil {
			return release, err
		}
		select {
		case <-time.After(leaseWait):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (s *Service) releaseLease(ctx context.Context, name, holder string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropLimit)
	defer cancel()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, "DELETE FROM leases WHERE name = $1 AND holder = $2", name, holder)
		return err
	})
	if err != nil {
		s.log.Warn("release a lease", "name", name, "error", err)
	}
}

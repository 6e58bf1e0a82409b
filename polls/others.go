package polls

import (
	"context"
	"time"
)

// othersEvery is how soon a change that another process made to the SQLite file
// (an operator command) is noticed.
const othersEvery = 500 * time.Millisecond

// watchOthers makes every copy stale when somebody else wrote to the database.
func (s *Service) watchOthers(ctx context.Context) error {
	return every(ctx, othersEvery, func() {
		changed, err := s.db.ChangedByOthers(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("look for changes of other processes", "error", err)
		}
		if changed {
			s.copies.forget()
			s.compare(ctx, s.watchers.watchedPolls())
		}
	})
}

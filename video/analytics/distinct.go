package analytics

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/axiomhq/hyperloglog"
)

// exactUpTo is how many viewers are counted one by one.
const exactUpTo = 10_000

// distinct counts different viewers: exactly as long as they are few, beyond that
// by a sketch of 16 KiB that is wrong by about one percent.
type distinct struct {
	seen   map[int64]struct{}
	sketch *hyperloglog.Sketch // nil: not yet
}

func (d *distinct) add(viewer int64) {
	if d.sketch != nil {
		d.insert(viewer)
		return
	}
	if d.seen == nil {
		d.seen = map[int64]struct{}{}
	}
	d.seen[viewer] = struct{}{}
	if len(d.seen) > exactUpTo {
		d.sketch = hyperloglog.New()
		for known := range d.seen {
			d.insert(known)
		}
		d.seen = nil
	}
}

func (d *distinct) insert(viewer int64) {
	d.sketch.Insert(binary.BigEndian.AppendUint64(nil, uint64(viewer)))
}

func (d *distinct) count() float64 {
	if d.sketch == nil {
		return float64(len(d.seen))
	}
	return float64(d.sketch.Estimate())
}

// viewers counts who has watched for so long. Somebody is another viewer on the
// next day, as the key of the day is another.
func (s *Service) viewers(ctx context.Context, q *query) (values, error) {
	var t text
	fmt.Fprintf(&t, "SELECT %s, %s, x.viewer", q.key("x.anchor_at"), q.owner())
	q.where(&t, "analytics_playbacks")
	t.add(" AND x.anchor_at >= %s AND x.anchor_at < %s AND x.watched_ms >= %s", q.from, q.to, viewSeconds[q.view]*1000)
	groups := map[string]*distinct{}
	var viewer int64
	err := s.read(ctx, q, &t, []any{&viewer}, func(group string) {
		if groups[group] == nil {
			groups[group] = new(distinct)
		}
		groups[group].add(viewer)
	})
	all := values{}
	for group, d := range groups {
		all[group] = d.count()
	}
	return all, err
}

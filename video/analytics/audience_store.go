package analytics

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"stoa/internal/db"
)

// audienceUse is an audience on a day.
type audienceUse struct{ id, day int64 }

// maxKnown is how many audiences are remembered.
const maxKnown = 50_000

// knownAudiences are those that are in the database for today. Only the goroutine
// that writes may use it.
type knownAudiences struct{ uses map[audienceUse]bool }

func (k *knownAudiences) has(use audienceUse) bool { return k.uses[use] }

// add forgets all of them when there are too many; yesterday's go with them.
func (k *knownAudiences) add(stored map[audienceUse]audience) {
	if k.uses == nil || len(k.uses) > maxKnown {
		k.uses = map[audienceUse]bool{}
	}
	for use := range stored {
		k.uses[use] = true
	}
}

func (p *page) writeAudiences(ctx context.Context, d *db.DB, tx *db.Tx) error {
	keys := slices.SortedFunc(maps.Keys(p.audiences), func(a, b audienceUse) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(b.day, a.day))
	})
	keys = slices.CompactFunc(keys, func(a, b audienceUse) bool { return a.id == b.id }) // the later day
	args := make([]any, 0, 8*len(keys))
	for _, use := range keys {
		a := p.audiences[use]
		args = append(args, use.id, a.continent, a.country, a.device, a.system, a.browser, a.referrer, use.day)
	}
	return insertRows(ctx, d, tx, `INSERT INTO analytics_audiences (id, continent, country, device, system, browser, referrer, used_on)`, 8,
		`ON CONFLICT (id) DO UPDATE SET used_on = excluded.used_on WHERE analytics_audiences.used_on < excluded.used_on`, args)
}

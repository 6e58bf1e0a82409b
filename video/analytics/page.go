package analytics

import (
	"context"
	"maps"
	"slices"

	"stoa/internal/db"
)

// page is what a group of batches changes.
type page struct {
	playbacks map[playbackID]*playback
	fresh     map[playbackID]bool // not in the database yet
	stretches map[stretchKey]stretchRow
	audiences map[audienceUse]audience
	sums      sums
	begun     map[mediaKey]bool // that have a new playback
}

type stretchKey struct {
	playback playbackID
	began    int64
}

type stretchRow struct {
	of *playback
	stretch
}

// fold joins a group to the playbacks of the database and writes what comes out.
func (r *recorder) fold(ctx context.Context, tx *db.Tx, group []*entry, medias map[string]Media) (*page, error) {
	p := &page{fresh: map[playbackID]bool{}, stretches: map[stretchKey]stretchRow{}, audiences: map[audienceUse]audience{},
		sums: newSums(), begun: map[mediaKey]bool{}}
	var err error
	if p.playbacks, err = readPlaybacks(ctx, r.db, tx, group); err != nil {
		return nil, err
	}
	for _, known := range p.playbacks {
		p.sums.add(known, -1)
	}
	for _, e := range group {
		p.take(e, medias[e.media])
	}
	for _, changed := range p.playbacks {
		p.sums.add(changed, +1)
	}
	maps.DeleteFunc(p.audiences, func(use audienceUse, _ audience) bool { return r.known.has(use) })
	return p, p.write(ctx, r.db, tx)
}

// take joins a batch to its playback. Whose it is and who watches is said by the
// first one.
func (p *page) take(e *entry, m Media) {
	b := p.playbacks[e.id]
	if b == nil {
		b = newPlayback(e.id)
		b.project, b.media, b.live = m.Project, e.media, m.Live
		b.audience, b.session, b.viewer = e.audience.id(), hash(e.session), e.viewer
		p.playbacks[e.id], p.fresh[e.id] = b, true
		p.begun[mediaKey{b.project, b.media}] = true
		p.audiences[audienceUse{b.audience, e.day}] = e.audience
	}
	for _, s := range b.add(e.events) {
		key := stretchKey{e.id, s.began}
		s.ended = max(s.ended, p.stretches[key].ended)
		p.stretches[key] = stretchRow{b, s}
	}
}

// ordered are the playbacks in the order of their ids, so that two processes never
// wait for each other.
func (p *page) ordered(fresh bool) (all []*playback) {
	for _, id := range slices.SortedFunc(maps.Keys(p.playbacks), comparePlaybacks) {
		if p.fresh[id] == fresh {
			all = append(all, p.playbacks[id])
		}
	}
	return all
}

func comparePlaybacks(a, b playbackID) int { return slices.Compare(a[:], b[:]) }

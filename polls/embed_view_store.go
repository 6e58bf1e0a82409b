package polls

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"stoa/internal/db"
	"stoa/polls/internal/credential"
)

// sighting is that somebody has seen an embed, or anything of a publisher.
type sighting struct {
	of     int64
	viewer credential.Voter
}

// recordViews counts the views of people who have just voted. Whoever votes is
// among the viewers, also with the view of somebody else.
func recordViews(ctx context.Context, tx *db.Tx, views []view) error {
	if len(views) == 0 {
		return nil
	}
	fresh, err := insertViews(ctx, tx, views)
	if err != nil {
		return err
	}
	people := make([]sighting, 0, len(views))
	for _, v := range views {
		people = append(people, sighting{v.embed, v.viewer})
	}
	return countViews(ctx, tx, fresh, people)
}

// recordNewViews counts the views that were not known, and their viewers.
func recordNewViews(ctx context.Context, tx *db.Tx, views []view) error {
	fresh, err := insertViews(ctx, tx, views)
	if err != nil {
		return err
	}
	return countViews(ctx, tx, fresh, fresh)
}

// countViews brings the counters to where new views and people leave them. All
// rows are written in the order of their keys, so that two processes never wait
// for each other.
func countViews(ctx context.Context, tx *db.Tx, views, people []sighting) error {
	slices.SortFunc(people, func(a, b sighting) int {
		return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.viewer, b.viewer))
	})
	ofEmbeds, err := insertSightings(ctx, tx, &storeViewers, people)
	if err != nil {
		return err
	}
	slices.SortFunc(ofEmbeds, func(a, b sighting) int {
		return cmp.Or(cmp.Compare(a.viewer, b.viewer), cmp.Compare(a.of, b.of))
	})
	ofPublishers, err := insertSightings(ctx, tx, &storePublisherViewers, ofEmbeds)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		query string
		rows  []sighting
	}{
		{"UPDATE embeds SET views = views + $1 WHERE id = $2", views},
		{"UPDATE embeds SET viewers = viewers + $1 WHERE id = $2", ofEmbeds},
		{"UPDATE publishers SET viewers = viewers + $1 WHERE id = $2", ofPublishers},
	} {
		if err := raise(ctx, tx, step.query, step.rows); err != nil {
			return err
		}
	}
	return nil
}

func raise(ctx context.Context, tx *db.Tx, query string, rows []sighting) error {
	count := map[int64]int64{}
	for _, row := range rows {
		count[row.of]++
	}
	for _, id := range slices.Sorted(maps.Keys(count)) {
		if _, err := tx.Exec(ctx, query, count[id], id); err != nil {
			return fmt.Errorf("count views: %w", err)
		}
	}
	return nil
}

var (
	storeViews = newSized(func(n int) string {
		return "INSERT INTO embed_views (embed_id, view_id, viewer, seen_at) VALUES " + tuples(n, 4) + `
			ON CONFLICT (embed_id, view_id) DO NOTHING RETURNING embed_id, viewer`
	})
	storeViewers = newSized(func(n int) string {
		return "INSERT INTO embed_viewers (embed_id, viewer) VALUES " + tuples(n, 2) + `
			ON CONFLICT (embed_id, viewer) DO NOTHING RETURNING embed_id, viewer`
	})
	storePublisherViewers = newSized(func(n int) string {
		return "WITH k (embed_id, viewer) AS (VALUES " + tuples(n, 2, "BIGINT", "TEXT") + `)
			INSERT INTO publisher_viewers (publisher_id, viewer)
			SELECT publisher_id, viewer FROM k JOIN embeds ON id = embed_id WHERE TRUE ORDER BY viewer, publisher_id
			ON CONFLICT (publisher_id, viewer) DO NOTHING RETURNING publisher_id, viewer`
	})
)

// insertViews returns the sightings of those views that were not known.
func insertViews(ctx context.Context, tx *db.Tx, views []view) (fresh []sighting, err error) {
	sorted := slices.SortedStableFunc(slices.Values(views), func(a, b view) int {
		return cmp.Or(cmp.Compare(a.embed, b.embed), cmp.Compare(a.id, b.id))
	})
	for chunk := range chunks(sorted) {
		var args []any
		for _, v := range chunk {
			args = append(args, v.embed, v.id, v.viewer, v.at)
		}
		if fresh, err = insertFresh(ctx, tx, fresh, storeViews.of(len(chunk)), args); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

// insertSightings returns those that were not known.
func insertSightings(ctx context.Context, tx *db.Tx, store *sized, people []sighting) (fresh []sighting, err error) {
	for chunk := range chunks(people) {
		var args []any
		for _, p := range chunk {
			args = append(args, p.of, p.viewer)
		}
		if fresh, err = insertFresh(ctx, tx, fresh, store.of(len(chunk)), args); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

// insertFresh appends what a statement returns.
func insertFresh(ctx context.Context, tx *db.Tx, fresh []sighting, query string, args []any) ([]sighting, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("record views: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var s sighting
		if err := rows.Scan(&s.of, &s.viewer); err != nil {
			return nil, fmt.Errorf("record views: %w", err)
		}
		fresh = append(fresh, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("record views: %w", err)
	}
	return fresh, nil
}

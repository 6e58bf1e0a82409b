package polls

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/polls/embed"
	"stoa/polls/internal/text"
)

// Embed is a place on another site where a publisher shows a target. The same
// name may stand for several targets: what a placement has shown over time.
type Embed struct {
	ID     int64
	Name   string
	Target Target
	Snippets
}

// Snippets is HTML to paste into a site, and where it leads to.
type Snippets struct {
	Script, Iframe string
	Path           string // of the page in the iframe, below the origin
}

// createEmbed makes an embed that records; without a name it gets the default
// one. The one that is there already is as good as a new one.
func (s *Service) createEmbed(ctx context.Context, user int64, publisher, name string, want wantedTarget) (Embed, error) {
	if name != "" {
		var err error
		if name, err = needText("embed_name", name, text.EmbedName); err != nil {
			return Embed{}, err
		}
	}
	e := Embed{Name: name}
	err := s.change(ctx, func(c *change) error {
		p, err := readPublisher(ctx, c, publisher)
		if err != nil {
			return err
		}
		if e.Target, err = want.find(ctx, c, user); err != nil {
			return err
		}
		if _, err := teamOf(ctx, c, publisher, user); err != nil {
			return err
		}
		if e.Name == "" {
			e.Name = e.Target.defaultName()
		}
		e.Snippets = s.snippetsOf(p, e)
		e.ID, err = keepEmbed(ctx, s.db, c.Tx, p.ID, e.Name, e.Target)
		return err
	})
	return e, err
}

// Embeds are those of a publisher, newest first.
func (s *Service) Embeds(ctx context.Context, publisher string) ([]Embed, error) {
	p, err := readPublisher(ctx, s.db, publisher)
	if err != nil {
		return nil, err
	}
	embeds, err := readEmbeds(ctx, s.db, p.ID)
	for i, e := range embeds {
		embeds[i].Snippets = s.snippetsOf(p, e)
	}
	return embeds, err
}

// snippetsOf leaves a name out that the page finds by itself.
func (s *Service) snippetsOf(p Publisher, e Embed) Snippets {
	name := e.Name
	if name == e.Target.defaultName() {
		name = ""
	}
	return s.snippets(p, e.Target.inPage(), name)
}

func (s *Service) snippets(p Publisher, t embed.Target, name string) (code Snippets) {
	code.Script, code.Iframe = embed.Snippets(s.Origin, p.Name, t, name)
	code.Path = embed.PagePath(p.Name, t, name)
	return code
}

// keepEmbed is the id of an embed, which is made when it is not there.
func keepEmbed(ctx context.Context, d *db.DB, tx *db.Tx, publisher int64, name string, t Target) (int64, error) {
	ids, err := d.NextIDs(ctx, tx, "embed_ids", 1)
	if err != nil {
		return 0, fmt.Errorf("number an embed: %w", err)
	}
	if _, err := tx.Exec(ctx, `INSERT INTO embeds (id, publisher_id, name, kind, target_id, created_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (publisher_id, name, kind, target_id) DO NOTHING`,
		ids[0], publisher, name, string(t.Kind), t.ID, db.Micros(time.Now())); err != nil {
		return 0, fmt.Errorf("store an embed: %w", err)
	}
	return readEmbedID(ctx, tx, publisher, name, t)
}

// readEmbedID is 0 when there is no such embed.
func readEmbedID(ctx context.Context, q querier, publisher int64, name string, t Target) (id int64, err error) {
	err = q.QueryRow(ctx, "SELECT id FROM embeds WHERE publisher_id = $1 AND name = $2 AND kind = $3 AND target_id = $4",
		publisher, name, string(t.Kind), t.ID).Scan(&id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, fmt.Errorf("read an embed: %w", err)
	}
	return id, nil
}

func readEmbeds(ctx context.Context, q querier, publisher int64) ([]Embed, error) {
	rows, err := q.Query(ctx, "SELECT t.id, t.name, "+targetColumns+" FROM embeds t"+joinTargets+`
		WHERE t.publisher_id = $1 ORDER BY t.id DESC`, publisher)
	if err != nil {
		return nil, fmt.Errorf("read embeds: %w", err)
	}
	defer rows.Close()
	var embeds []Embed
	for rows.Next() {
		var e Embed
		if err := rows.Scan(append([]any{&e.ID, &e.Name}, e.Target.targets()...)...); err != nil {
			return nil, fmt.Errorf("read embeds: %w", err)
		}
		embeds = append(embeds, e)
	}
	return embeds, rows.Err()
}

package video

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"stoa/internal/db"
	"stoa/video/internal/problem"
)

// theme is how the player of some videos looks.
type theme struct {
	id      string
	name    string
	look    look
	logo    string // names the file, "" none
	link    string // where the logo leads, "" nowhere
	created int64  // microseconds
	updated int64
}

// errNoTheme is the answer to an id that names no theme of the project.
var errNoTheme = problem.NotFound("playerId")

const themeColumns = `id, name, look, logo, link, created_at, updated_at`

func scanTheme(row interface{ Scan(...any) error }) (t theme, err error) {
	var text string
	if err := row.Scan(&t.id, &t.name, &text, &t.logo, &t.link, &t.created, &t.updated); err != nil {
		return t, err
	}
	if err := json.Unmarshal([]byte(text), &t.look); err != nil {
		return t, fmt.Errorf("look of the player theme %s: %w", t.id, err)
	}
	return t, nil
}

// createTheme makes a theme of the fields of a body; what is absent has its default.
func (s *Service) createTheme(ctx context.Context, project string, f fields) (theme, error) {
	now := db.Micros(time.Now())
	t := theme{id: newID(themePrefix), look: usualLook, created: now, updated: now}
	if err := t.read(f); err != nil {
		return t, err
	}
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO video_players (id, project, name, name_key, look, logo, link, created_at, updated_at)
			VALUES ($1, $2, $3, $4, $5, '', '', $6, $7)`,
			t.id, project, t.name, []byte(foldCase(t.name)), asJSON(t.look), t.created, t.updated)
		return err
	})
	return t, err
}

// listThemes is a page of the themes of a project.
func (s *Service) listThemes(ctx context.Context, project string, l list) ([]theme, int, error) {
	l.table, l.columns, l.where, l.args = `video_players`, themeColumns, `project = $1`, []any{project}
	return pageOf(ctx, s.db, l, func(rows *sql.Rows) (theme, error) { return scanTheme(rows) })
}

// theme finds a theme of a project.
func (s *Service) theme(ctx context.Context, from reader, project, id string) (theme, error) {
	return oneTheme(ctx, from, project, id, "")
}

// lockTheme is theme for who is going to change it.
func (s *Service) lockTheme(ctx context.Context, tx *db.Tx, project, id string) (theme, error) {
	return oneTheme(ctx, tx, project, id, s.db.ForUpdate())
}

func oneTheme(ctx context.Context, from reader, project, id, lock string) (theme, error) {
	if !isID(themePrefix, id) {
		return theme{}, errNoTheme
	}
	t, err := scanTheme(from.QueryRow(ctx, `SELECT `+themeColumns+` FROM video_players WHERE id = $1 AND project = $2`+lock, id, project))
	if errors.Is(err, sql.ErrNoRows) {
		err = errNoTheme
	}
	return t, err
}

// changeTheme applies the fields of a body: what is absent stays, null is the default.
func (s *Service) changeTheme(ctx context.Context, project, id string, f fields) (t theme, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		if t, err = s.lockTheme(ctx, tx, project, id); err != nil {
			return err
		}
		if err := t.read(f); err != nil {
			return err
		}
		return t.store(ctx, tx)
	})
	return t, err
}

// store writes a theme that was changed. It shows on the pages of its videos and live
// streams.
func (t *theme) store(ctx context.Context, tx *db.Tx) error {
	t.updated = db.Micros(time.Now())
	_, err := tx.Exec(ctx, `UPDATE video_players SET name = $2, name_key = $3, look = $4, logo = $5, link = $6, updated_at = $7 WHERE id = $1`,
		t.id, t.name, []byte(foldCase(t.name)), asJSON(t.look), t.logo, t.link, t.updated)
	if err != nil {
		return err
	}
	for _, table := range themed {
		if _, err := tx.Exec(ctx, `UPDATE `+table+` SET version = version + 1 WHERE player_id = $1`, t.id); err != nil {
			return err
		}
	}
	return nil
}

// themed are the tables of what has a player.
var themed = []string{"videos", "live_streams"}

// deleteTheme forgets a theme. What has it goes on with the usual look.
func (s *Service) deleteTheme(ctx context.Context, project, id string) error {
	var t theme
	err := s.db.InTx(ctx, func(tx *db.Tx) (err error) {
		if t, err = s.lockTheme(ctx, tx, project, id); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM video_players WHERE id = $1`, id); err != nil {
			return err
		}
		for _, table := range themed {
			if _, err := tx.Exec(ctx, `UPDATE `+table+` SET version = version + 1, player_id = '' WHERE player_id = $1`, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && t.logo != "" {
		s.forgetFile(ctx, logoKey(id, t.logo))
	}
	return err
}

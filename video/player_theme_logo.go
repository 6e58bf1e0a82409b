package video

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"stoa/internal/blob"
	"stoa/internal/db"
	"stoa/internal/egress"
	"stoa/video/internal/problem"
)

// logoKey is where the logo of a theme is kept. Its name is a new one for every
// version.
func logoKey(themeID, name string) string { return "player/" + themeID + "/" + name + ".png" }

// putLogo keeps an uploaded picture as the logo of a theme, with the address that it
// leads to, "" for none.
func (s *Service) putLogo(ctx context.Context, project, id string, file []byte, link string) (t theme, err error) {
	if _, err := s.theme(ctx, s.db, project, id); err != nil {
		return t, err
	}
	if link != "" && (egress.CheckURL(link) != nil || !utf8.ValidString(link)) {
		return t, problem.All(problem.Attribute("link", "Give an address that begins with http:// or https://."))
	}
	mark, err := s.pictures.Logo(ctx, file)
	if err != nil {
		return t, err
	}
	name := newID("")
	err = s.keepFile(ctx, logoKey(id, name), mark.PNG, "image/png", func(tx *db.Tx) (old string, err error) {
		if t, err = s.lockTheme(ctx, tx, project, id); err != nil {
			return "", err
		}
		if t.logo != "" {
			old = logoKey(id, t.logo)
		}
		t.logo, t.link = name, link
		return old, t.store(ctx, tx)
	})
	return t, err
}

// deleteLogo takes the logo of a theme away. One without a logo stays as it is.
func (s *Service) deleteLogo(ctx context.Context, project, id string) error {
	var old string
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		t, err := s.lockTheme(ctx, tx, project, id)
		if err != nil || t.logo == "" {
			return err
		}
		old = logoKey(id, t.logo)
		t.logo, t.link = "", ""
		return t.store(ctx, tx)
	})
	if err == nil {
		s.forgetFile(ctx, old)
	}
	return err
}

// openLogo opens the file of a logo by its name, for anybody.
func (s *Service) openLogo(ctx context.Context, id, file string) (*blob.Object, error) {
	name, found := strings.CutSuffix(file, ".png")
	if !found || !isID("", name) || !isID(themePrefix, id) {
		return nil, problem.Unrecognized()
	}
	object, err := s.Blobs.Open(ctx, logoKey(id, name))
	if errors.Is(err, blob.ErrNotFound) {
		return nil, problem.Unrecognized()
	}
	return object, err
}

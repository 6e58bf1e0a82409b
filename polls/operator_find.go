package polls

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// UserNamed is one account, by its username in any letter case.
func (s *Service) UserNamed(ctx context.Context, username string) (User, error) {
	a, err := accountNamed(ctx, s.db, username)
	if err != nil {
		return User{}, err
	}
	return a.user(), nil
}

// FindUsers is up to limit accounts with a part of a text in their username or e-mail
// address, the newest first, with numbers below before unless that is 0.
func (s *Service) FindUsers(ctx context.Context, part string, before int64, limit int) ([]User, error) {
	condition, args := "username <> ''", []any{limit}
	if before > 0 {
		args = append(args, before)
		condition += fmt.Sprintf(" AND id < $%d", len(args))
	}
	if part != "" {
		args = append(args, "%"+likeExactly.Replace(text.Fold(part))+"%")
		condition += fmt.Sprintf(` AND (username_key LIKE $%d ESCAPE '\' OR email_key LIKE $%[1]d ESCAPE '\')`, len(args))
	}
	return s.readUsers(ctx, "WHERE "+condition+" ORDER BY id DESC LIMIT $1", args...)
}

// likeExactly makes a pattern of LIKE that is the text itself.
var likeExactly = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// SetOperator makes an account an operator's, or takes that from it. The last operator
// who can log in stays one.
func (s *Service) SetOperator(ctx context.Context, username string, on bool) error {
	return s.change(ctx, func(c *change) error {
		a, err := accountNamed(ctx, c, username)
		if err != nil {
			return err
		}
		if !on {
			// All are locked, so that of two who take it from each other one stays.
			operators, err := readIDs(ctx, c, "SELECT id FROM users WHERE operator AND NOT suspended ORDER BY id"+s.db.ForUpdate())
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(operators, func(id int64) bool { return id != a.id }) {
				return wire.Errorf(wire.InvalidParameter, "operator", "this is the last operator; make another one first")
			}
		}
		if _, err := c.Exec(ctx, "UPDATE users SET operator = $1 WHERE id = $2", on, a.id); err != nil {
			return fmt.Errorf("set the operator mark of user %d: %w", a.id, err)
		}
		return nil
	})
}

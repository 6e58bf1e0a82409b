package polls

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"stoa/polls/internal/text"
	"stoa/polls/internal/wire"
)

// letter is a mail to one person.
type letter struct{ to, subject, text string }

// postbox sends letters beside the requests: nobody waits for a mail server, and
// nobody is refused because it is away.
type postbox struct {
	send    func(ctx context.Context, to, subject, text string) error
	waiting chan letter
	log     *slog.Logger
}

const (
	maxLetters = 1000             // that wait
	letterTime = 30 * time.Second // for one to be sent
)

func newPostbox(send func(ctx context.Context, to, subject, text string) error, log *slog.Logger) *postbox {
	return &postbox{send: send, waiting: make(chan letter, maxLetters), log: log}
}

// post hands a letter in. It never blocks.
func (p *postbox) post(l letter) {
	select {
	case p.waiting <- l:
	default:
		p.log.Error("a mail is not sent", "error", "too many are waiting; does the mail server answer?")
	}
}

// Run sends letters until the context ends. One that fails is not tried again: the
// person can ask for another.
func (p *postbox) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case l := <-p.waiting:
			sending, cancel := context.WithTimeout(ctx, letterTime)
			err := p.send(sending, l.to, l.subject, l.text)
			cancel()
			if err != nil {
				p.log.Error("a mail is not sent", "error", err)
			}
		}
	}
}

// askToConfirm mails the link by which an account shows that it reads its mail.
func (s *Service) askToConfirm(a *account) {
	if s.Mail == nil || a.confirmed {
		return
	}
	link := s.Origin + "/confirm?token=" + url.QueryEscape(s.keys.ConfirmationToken(a.id, a.email, time.Now()))
	s.postbox.post(letter{a.email, "Confirm your e-mail address", fmt.Sprintf(`Hello %s,

somebody, we hope you, gave this e-mail address for an account at
%s

To confirm that it is yours, open this address within three days:
%s

If it was not you, do nothing.
`, a.username, s.Origin, link)})
}

// confirmEmail takes the token of a mailed link. It is good for the address that it
// was sent to only.
func (s *Service) confirmEmail(ctx context.Context, token string) error {
	confirmed, ok := s.keys.VerifyConfirmation(token, time.Now())
	if !ok {
		return errBadLink
	}
	return s.change(ctx, func(c *change) error {
		a, _, err := accountLocked(ctx, s.db, c.Tx, confirmed.User)
		if refused(err) || err == nil && !confirmed.For(a.email) {
			return errBadLink
		}
		if err != nil {
			return err
		}
		if _, err := c.Exec(ctx, "UPDATE users SET confirmed = TRUE WHERE id = $1 AND email_key = $2", a.id, text.Fold(a.email)); err != nil {
			return fmt.Errorf("confirm user %d: %w", a.id, err)
		}
		return nil
	})
}

var errBadLink = wire.Errorf(wire.InvalidToken, "token", "this link is not good any more; change your e-mail address to its present value to get another")

// getConfirm is where the mailed link leads, and all that it takes: one click, also
// in a browser that is not logged in. A program that opens the links of a mail
// before its reader does confirms too, which is no harm: the mail did arrive.
func (s *Service) getConfirm(c *call) error {
	token, _, err := c.params.String("token")
	if err != nil {
		return err
	}
	result := "1"
	if c.r.Method == http.MethodHead { // only looks
		result = "0"
	} else if err := s.confirmEmail(c.r.Context(), token); refused(err) {
		result = "0"
	} else if err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address holds the token
	http.Redirect(c.w, c.r, "/settings?confirmed="+result, http.StatusSeeOther)
	return nil
}

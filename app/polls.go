package app

import (
	"context"
	"fmt"

	"stoa/console"
	"stoa/internal/certificate"
	"stoa/internal/mail"
	"stoa/polls"
	"stoa/polls/limits"
	"stoa/ratelimit"
)

// openPolls prepares the polls of each environment.
func (a *App) openPolls() error {
	environments, err := a.environments()
	if err != nil {
		return err
	}
	s := a.cfg.Settings
	shared := pollsParts{passwords: polls.NewPasswords()}
	if s.Mail != "" {
		sender, err := mail.Open(string(s.Mail))
		if err != nil {
			return fmt.Errorf("mail: %w", err)
		}
		shared.mail = sender.Send
	}
	for _, e := range environments {
		parts := shared
		if parts.decider, err = e.openPollsDecider(); err != nil {
			return err
		}
		r := &room{name: "web", room: polls.Room, setting: "listen", listen: s.Listen, publicURL: s.PublicURL, open: parts.open}
		if e.place.environment == Staging {
			r.listen, r.publicURL = Address(s.SecondListen), s.SecondPublicURL
		}
		e.rooms = append(e.rooms, r)
	}
	return nil
}

// pollsParts is what the polls are made of beside their storage.
type pollsParts struct {
	decider   ratelimit.Decider // nil: nothing is limited
	passwords *polls.Passwords
	mail      func(ctx context.Context, to, subject, text string) error // nil: none is sent
}

func (p pollsParts) open(ctx context.Context, e *environment, s *store, origin string) (roomService, error) {
	settings := e.app.cfg.Settings
	config := settings.Polls
	if config.StreamsPerAddress == 0 {
		config.StreamsPerAddress = limits.Streams(config.Rules)
	}
	service, err := polls.New(ctx, polls.Options{
		Config: config, Environment: e.place.environment, Origin: origin,
		DB: s.db, Blobs: s.blobs, Box: s.box, Decider: p.decider, Proxies: settings.proxies(),
		Log: e.app.log.With("environment", e.place.environment), Stats: e.app.stats,
		Passwords: p.passwords, Mail: p.mail, Neighbours: e.neighbours, Console: console.Path,
	})
	if err != nil {
		return nil, err
	}
	return service, e.welcomeOperator(ctx, service, origin)
}

// openCertificate is that of the listeners for people; nil when they speak plainly.
func (a *App) openCertificate() (serverTLS, error) {
	s := a.cfg.Settings
	switch {
	case len(s.ACMEHosts) > 0:
		return a.openACME()
	case s.TLSCert == "":
		return nil, nil
	}
	pair, err := certificate.Open(certificate.Options{Cert: s.TLSCert, Key: s.TLSKey, Log: a.log})
	if err != nil {
		return nil, fmt.Errorf("tls_cert, tls_key: %w", err)
	}
	a.backs = append(a.backs, pair.Run)
	return pair, nil
}

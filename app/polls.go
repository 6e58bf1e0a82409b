package app

import (
	"context"
	"errors"
	"fmt"

	"stoa/internal/certificate"
	"stoa/internal/mail"
	"stoa/polls"
	"stoa/polls/limits"
)

// openPolls prepares the polls of each environment. They open what they stand on
// when they run, since only a listener that is there knows its address.
func (a *App) openPolls() error {
	pair, err := a.openCertificate()
	if err != nil {
		return err
	}
	s := a.cfg.Settings
	passwords := polls.NewPasswords()
	var send func(ctx context.Context, to, subject, text string) error
	if s.Mail != "" {
		sender, err := mail.Open(string(s.Mail))
		if err != nil {
			return fmt.Errorf("mail: %w", err)
		}
		send = sender.Send
	}
	for _, name := range Environments() {
		where, err := s.place(name)
		if errors.Is(err, errSecondOff) {
			continue
		}
		if err != nil { // of the second one, which nobody may miss
			a.log.Info(err.Error())
			continue
		}
		e := &environment{
			app: a, place: where, listen: s.Listen, publicURL: s.PublicURL, certificate: pair, passwords: passwords, mail: send,
		}
		if name == Staging {
			e.listen, e.publicURL = Address(s.SecondListen), s.SecondPublicURL
		}
		if e.listen == "" {
			return errors.New("listen: want host:port or :port, such as 127.0.0.1:8000")
		}
		if e.decider, err = a.openDecider(name); err != nil {
			return err
		}
		a.fronts = append(a.fronts, e.Run)
		a.debug.ready = append(a.debug.ready, e.ready)
	}
	return nil
}

// openCertificate is that of the listeners for people; nil when they speak plainly.
func (a *App) openCertificate() (*certificate.Pair, error) {
	s := a.cfg.Settings
	if s.TLSCert == "" {
		return nil, nil
	}
	pair, err := certificate.Open(certificate.Options{Cert: s.TLSCert, Key: s.TLSKey, Log: a.log})
	if err != nil {
		return nil, fmt.Errorf("tls_cert, tls_key: %w", err)
	}
	a.backs = append(a.backs, pair.Run)
	return pair, nil
}

// options is what the polls of an environment are made of.
func (e *environment) options(s *store, origin string) polls.Options {
	settings := e.app.cfg.Settings
	config := settings.Polls
	if config.StreamsPerAddress == 0 {
		config.StreamsPerAddress = limits.Streams(config.Rules)
	}
	return polls.Options{
		Config: config, Environment: e.place.environment, Origin: origin,
		DB: s.db, Blobs: s.blobs, Box: s.box, Decider: e.decider, Proxies: settings.proxies(),
		Log: e.app.log.With("environment", e.place.environment), Stats: e.app.stats,
		Passwords: e.passwords, Mail: e.mail,
	}
}

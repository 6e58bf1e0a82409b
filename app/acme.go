package app

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"

	"stoa/internal/certificate"
)

// serverTLS is where listeners for people have their certificates from: files, or an
// authority.
type serverTLS interface{ ServerConfig() *tls.Config }

// ACMEHost is a host whose certificate is fetched.
type ACMEHost string

// Validate is asked by the reader of settings.
func (h ACMEHost) Validate() error { return certificate.CheckHost(string(h)) }

// speaksTLS tells whether the listeners for people do.
func (s Settings) speaksTLS() bool { return s.TLSCert != "" || len(s.ACMEHosts) > 0 }

// checkACME tells what no setting shows alone.
func (s Settings) checkACME() error {
	var errs []error
	for _, host := range s.ACMEHosts {
		if err := host.Validate(); err != nil {
			errs = append(errs, fmt.Errorf("acme_hosts: %w", err))
		}
	}
	if len(s.ACMEHosts) == 0 {
		if s.ACMEEmail != "" {
			errs = append(errs, errors.New("acme_email: it takes acme_hosts to fetch certificates"))
		}
		return errors.Join(errs...)
	}
	if s.TLSCert != "" {
		errs = append(errs, errors.New("acme_hosts: certificates are either fetched, or read from tls_cert: want one of them"))
	}
	for _, public := range []struct {
		setting string
		url     PublicURL
	}{
		{"public_url", s.PublicURL}, {"second_public_url", s.SecondPublicURL},
		{"video_public_url", s.VideoPublicURL}, {"second_video_public_url", s.SecondVideoPublicURL},
	} {
		if public.url != "" && !s.fetches(public.url) {
			errs = append(errs, fmt.Errorf("%s: want https:// and one of acme_hosts (%s)", public.setting, s.ACMEHosts))
		}
	}
	return errors.Join(errs...)
}

// fetches tells whether there will be a certificate for an address.
func (s Settings) fetches(public PublicURL) bool {
	u, err := url.Parse(public.origin())
	return err == nil && u.Scheme == "https" && slices.Contains(s.ACMEHosts, ACMEHost(u.Hostname()))
}

// openACME prepares to fetch certificates.
func (a *App) openACME() (*certificate.ACME, error) {
	s := a.cfg.Settings
	var hosts []string
	for _, host := range s.ACMEHosts {
		hosts = append(hosts, string(host))
	}
	fetched, err := certificate.NewACME(certificate.ACMEOptions{
		Hosts: hosts, Email: s.ACMEEmail, Directory: cmp.Or(s.ACMEDirectory, certificate.LetsEncrypt), Root: s.ACMERoot,
		Folder: filepath.Join(s.Data, "acme"), Log: a.log,
	})
	if err != nil {
		return nil, fmt.Errorf("acme_hosts: %w", err)
	}
	return fetched, nil
}

// fetchable refuses a room that nobody could reach: a certificate is for a name.
func (e *environment) fetchable(r *room) error {
	s := e.app.cfg.Settings
	if len(s.ACMEHosts) == 0 || s.fetches(r.publicURL) {
		return nil
	}
	return fmt.Errorf("the port of %s: certificates are fetched for names, so its public URL has to be https:// and one of acme_hosts (%s)", e.portName(r), s.ACMEHosts)
}

// fetchCertificates gets those of the rooms, so that no visitor waits for them. One
// that cannot be had now is tried again when somebody comes.
func (e *environment) fetchCertificates(ctx context.Context) error {
	fetched, ok := e.certificate.(*certificate.ACME)
	if !ok {
		return nil
	}
	for _, r := range e.rooms {
		u, err := url.Parse(r.publicURL.origin())
		if r.listener == nil || err != nil {
			continue
		}
		if err := fetched.Fetch(ctx, u.Hostname()); err != nil && ctx.Err() == nil {
			e.app.log.Warn("a certificate cannot be fetched now: the authority has to reach port 443 of the host, and that has to be this listener",
				"host", u.Hostname(), "error", err)
		}
	}
	return nil
}

package mail

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// patience is how long a server may take for one letter, when nobody sets an end
// before.
const patience = 30 * time.Second

// Open reads the address of a server. It does not connect.
func Open(address string) (*Sender, error) {
	u, err := url.Parse(address)
	if err != nil {
		// The cause without the address, which may hold a password.
		if parse, ok := errors.AsType[*url.Error](err); ok {
			err = parse.Err
		}
		return nil, fmt.Errorf("want an address smtp://user:password@host:port: %w", err)
	}
	if u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("want an address that begins with smtp:// or smtps://")
	}
	if u.Hostname() == "" || strings.Trim(u.Path, "/") != "" || u.Fragment != "" {
		return nil, errors.New("want an address of a host alone, smtp://user:password@host:port")
	}
	s := &Sender{host: u.Hostname(), tls: &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}}
	port, err := portOf(u)
	if err != nil {
		return nil, err
	}
	s.options = []gomail.Option{gomail.WithTimeout(patience), gomail.WithTLSConfig(s.tls)}
	if u.User != nil {
		password, _ := u.User.Password()
		s.options = append(s.options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	if err := s.query(u); err != nil {
		return nil, err
	}
	s.options = append(s.options, gomail.WithPort(port)) // last: other options choose ports too
	return s, nil
}

func portOf(u *url.URL) (int, error) {
	switch {
	case u.Port() != "":
		port, err := strconv.ParseUint(u.Port(), 10, 16)
		if err != nil || port == 0 {
			return 0, errors.New("want a port from 1 to 65535")
		}
		return int(port), nil
	case u.Scheme == "smtps":
		return 465, nil
	case u.User != nil:
		return 587, nil
	}
	return 25, nil
}

// query reads what stands behind the question mark.
func (s *Sender) query(u *url.URL) error {
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return fmt.Errorf("read what stands behind the question mark: %w", err)
	}
	for name := range values {
		if name != "from" && name != "starttls" {
			return fmt.Errorf("want from or starttls behind the question mark, not %q", name)
		}
	}
	switch from := values.Get("from"); {
	case from != "":
		s.from = from
	case strings.Contains(u.User.Username(), "@"):
		s.from = u.User.Username()
	case net.ParseIP(s.host) != nil:
		s.from = "stoa@localhost"
	default:
		s.from = "stoa@" + s.host
	}
	if _, err := mail.ParseAddress(s.from); err != nil {
		return fmt.Errorf("from: want an e-mail address, as in ?from=polls@example.com")
	}
	return s.encryption(u, values.Get("starttls"))
}

func (s *Sender) encryption(u *url.URL, starttls string) error {
	if u.Scheme == "smtps" {
		if starttls != "" {
			return errors.New("starttls: smtps:// is encrypted from the first byte; leave it out")
		}
		s.implicit, starttls = true, "auto" // finds a connection that is encrypted already
	}
	if starttls == "" {
		starttls = "auto"
		if u.User != nil {
			starttls = "required"
		}
	}
	policy, ok := map[string]gomail.TLSPolicy{
		"required": gomail.TLSMandatory, "auto": gomail.TLSOpportunistic, "off": gomail.NoTLS,
	}[starttls]
	if !ok {
		return fmt.Errorf("starttls: want required, auto or off, not %q", starttls)
	}
	s.options = append(s.options, gomail.WithTLSPolicy(policy))
	return nil
}

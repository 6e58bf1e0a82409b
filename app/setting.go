package app

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"stoa/internal/blob/s3"
	"stoa/internal/mail"
)

// The types of settings. Each says what is allowed; none given is always allowed.

// Address is where to listen.
type Address string

// Validate is asked by the reader of settings.
func (a Address) Validate() error {
	if a == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(string(a))
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return errors.New("want host:port or :port, such as 127.0.0.1:8000")
	}
	return nil
}

// off is what a SecondAddress says for none.
const off = "off"

// SecondAddress is where the second environment listens, or off.
type SecondAddress string

// Validate is asked by the reader of settings.
func (a SecondAddress) Validate() error {
	if a != off && Address(a).Validate() != nil {
		return errors.New("want host:port, :port, or off for no second environment")
	}
	return nil
}

// DoorAddress is where publishers of live streams come in, or off.
type DoorAddress string

// Validate is asked by the reader of settings.
func (a DoorAddress) Validate() error {
	if a != off && Address(a).Validate() != nil {
		return errors.New("want host:port, :port, or off for none")
	}
	return nil
}

// address is where to listen, "" for nowhere.
func (a DoorAddress) address() string {
	if a == off {
		return ""
	}
	return string(a)
}

// PublicURL is the address that people see: scheme and host, without a path.
type PublicURL string

// Validate is asked by the reader of settings.
func (p PublicURL) Validate() error {
	if p == "" {
		return nil
	}
	u, err := url.Parse(string(p))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || p.origin() != u.Scheme+"://"+u.Host {
		return errors.New("want http:// or https:// and a host, without a path, such as https://polls.example.com")
	}
	return nil
}

// origin is the address without a slash at its end.
func (p PublicURL) origin() string { return strings.TrimSuffix(string(p), "/") }

// host is the host with its port, as requests name it.
func (p PublicURL) host() string {
	_, host, _ := strings.Cut(p.origin(), "://")
	return host
}

// Database is a SQLite file or a PostgreSQL server.
type Database string

// Validate is asked by the reader of settings.
func (d Database) Validate() error {
	if strings.Contains(string(d), "://") && !d.postgres() {
		return errors.New("want the path of a SQLite file, or postgres://user:password@host/database")
	}
	return nil
}

func (d Database) postgres() bool {
	return strings.HasPrefix(string(d), "postgres://") || strings.HasPrefix(string(d), "postgresql://")
}

// Files is a folder or an S3 bucket.
type Files string

// Validate is asked by the reader of settings.
func (f Files) Validate() error {
	if !strings.Contains(string(f), "://") {
		return nil
	}
	if !f.s3() {
		return errors.New("want the path of a folder, or s3://bucket/prefix?endpoint=…&region=…")
	}
	_, err := s3.Parse(string(f))
	return err
}

func (f Files) s3() bool { return strings.HasPrefix(string(f), "s3://") }

// ServiceAddress is where another rate limit service is.
type ServiceAddress string

// Validate is asked by the reader of settings.
func (a ServiceAddress) Validate() error {
	if a == "" || strings.HasPrefix(string(a), "unix:") {
		return nil
	}
	if host, _, err := net.SplitHostPort(string(a)); err != nil || host == "" {
		return errors.New("want host:port or unix:PATH, such as ratelimit:8081")
	}
	return nil
}

// dial is what to connect to.
func (a ServiceAddress) dial() (network, address string) {
	if path, ok := strings.CutPrefix(string(a), "unix:"); ok {
		return "unix", path
	}
	return "tcp", string(a)
}

// MailServer is where mail is handed in.
type MailServer string

// Validate is asked by the reader of settings.
func (m MailServer) Validate() error {
	if m == "" {
		return nil
	}
	_, err := mail.Open(string(m))
	return err
}

// Network is addresses with a common beginning, or one address.
type Network struct{ netip.Prefix }

// UnmarshalText is how settings are read.
func (n *Network) UnmarshalText(text []byte) error {
	given := strings.TrimSpace(string(text))
	prefix, err := netip.ParsePrefix(given)
	if err != nil {
		var address netip.Addr
		if address, err = netip.ParseAddr(given); err == nil {
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
	}
	if err != nil {
		return errors.New("want networks such as 10.0.0.0/8,fd00::/8")
	}
	n.Prefix = prefix.Masked()
	return nil
}

package redis

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
)

// target is where a redis is and how to enter it.
type target struct {
	network string   // tcp or unix
	addrs   []string // of the sentinels, where there are
	master  string   // the name by which the sentinels know it
	tls     bool     // by a rediss:// URL

	user, password string
	db             int
}

// target reads the URL. Errors name the variable and never show credentials.
func (n Node) target(r role) (target, error) {
	t := target{network: "tcp"}
	items := strings.Split(n.URL, ",")
	switch n.Type {
	case "SINGLE":
		items = []string{n.URL}
		if n.SocketType == "unix" {
			t.network, t.addrs, items = "unix", items, nil
		}
	case "SENTINEL":
		if len(items) < 2 {
			return t, fmt.Errorf("%sURL=%q: want the master's name and at least one sentinel, separated by commas", r.prefix, masked(n.URL))
		}
		t.master, items = strings.TrimSpace(items[0]), items[1:]
	}
	for _, item := range items {
		if err := t.add(strings.TrimSpace(item)); err != nil {
			return t, fmt.Errorf("%sURL=%q: %w", r.prefix, masked(n.URL), err)
		}
	}
	if n.Auth != "" {
		t.user, t.password = credentials(n.Auth)
	}
	return t, nil
}

func (t *target) add(item string) error {
	if !strings.Contains(item, "://") {
		if _, _, err := net.SplitHostPort(item); err != nil {
			return errors.New("want host:port")
		}
		t.addrs = append(t.addrs, item)
		return nil
	}
	u, err := url.Parse(item)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || !isHost(u.Hostname()) {
		return errors.New("want redis://[user]:[password]@host:port[/db]")
	}
	query := u.Query()
	password, _ := u.User.Password()
	if password = cmp.Or(query.Get("password"), password); password != "" {
		t.user, t.password = cmp.Or(query.Get("username"), u.User.Username()), password
	}
	db := strings.Trim(u.Path, "/")
	if query.Has("db") {
		db = query.Get("db")
	}
	if db != "" {
		if t.db, err = strconv.Atoi(db); err != nil || t.db < 0 {
			return errors.New("want the number of a database")
		}
	}
	t.tls = t.tls || u.Scheme == "rediss"
	t.addrs = append(t.addrs, net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "6379")))
	return nil
}

func isHost(host string) bool {
	return host != "" && (!strings.Contains(host, ":") || net.ParseIP(host) != nil)
}

// credentials splits user:password; without a colon all is the password.
func credentials(auth string) (user, password string) {
	if user, password, ok := strings.Cut(auth, ":"); ok {
		return user, password
	}
	return "", auth
}

// masked is a setting of addresses without credentials. It cuts by hand, so
// that it also hides those of a URL that cannot be parsed: all before the last
// @, as a password may contain anything.
func masked(addresses string) string {
	head, rest, ok := strings.Cut(addresses, "://")
	if !ok {
		head, rest = "", addresses
	} else {
		head += "://"
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		rest = "*****" + rest[at:]
	}
	if before, query, ok := strings.Cut(rest, "?"); ok {
		rest = before + "?" + maskedQuery(query)
	}
	return head + rest
}

func maskedQuery(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if !strings.HasPrefix(pair, "db=") {
			name, _, _ := strings.Cut(pair, "=")
			pairs[i] = name + "=*****"
		}
	}
	return strings.Join(pairs, "&")
}

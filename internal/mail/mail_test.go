package mail

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net"
	"net/textproto"
	"os"
	"strings"
	"testing"
	"time"

	"stoa/internal/certtest"
)

// server is a mail server that takes one kind of user and keeps what it is sent.
type server struct {
	t         *testing.T
	listener  net.Listener
	tls       *tls.Config
	implicit  bool // encrypted from the first byte
	offersTLS bool
	refuses   bool // every recipient

	got chan letter
}

// letter is a mail as the server saw it.
type letter struct {
	from, to, user, text string
	encrypted            bool
}

func newServer(t *testing.T, set func(*server)) (s *server, trusted *x509.CertPool) {
	t.Helper()
	authority, err := certtest.NewAuthority(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Issue("mail", "127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	cert, err := tls.LoadX509KeyPair(pair.Cert, pair.Key)
	if err != nil {
		t.Fatal(err)
	}
	pem, err := os.ReadFile(authority.File)
	if err != nil {
		t.Fatal(err)
	}
	trusted = x509.NewCertPool()
	trusted.AppendCertsFromPEM(pem)
	s = &server{t: t, tls: &tls.Config{Certificates: []tls.Certificate{cert}}, got: make(chan letter, 10)}
	set(s)
	if s.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go s.serve(ended)
	t.Cleanup(func() {
		s.listener.Close()
		<-ended
	})
	return s, trusted
}

func (s *server) serve(ended chan struct{}) {
	defer close(ended)
	for {
		conn, err := s.listener.Accept()
		if err != nil {
			return
		}
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		if s.implicit {
			conn = tls.Server(conn, s.tls)
		}
		s.talk(conn)
		conn.Close()
	}
}

func (s *server) talk(conn net.Conn) {
	var l letter
	l.encrypted = s.implicit
	in := textproto.NewReader(bufio.NewReader(conn))
	say := func(line string) { fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 mail.test ESMTP")
	for {
		line, err := in.ReadLine()
		if err != nil {
			return
		}
		verb, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "EHLO":
			say("250-mail.test")
			if s.offersTLS && !l.encrypted {
				say("250-STARTTLS")
			}
			say("250-AUTH PLAIN")
			say("250 8BITMIME")
		case "STARTTLS":
			say("220 go ahead")
			conn = tls.Server(conn, s.tls)
			in, l.encrypted = textproto.NewReader(bufio.NewReader(conn)), true
		case "AUTH":
			secret, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			l.user = strings.ReplaceAll(string(secret), "\x00", " ")
			say("235 welcome")
		case "MAIL":
			l.from = rest
			say("250 ok")
		case "RCPT":
			if s.refuses {
				say("550 nobody here")
				continue
			}
			l.to = rest
			say("250 ok")
		case "DATA":
			say("354 go ahead")
			text, err := in.ReadDotLines()
			if err != nil {
				return
			}
			l.text = strings.Join(text, "\n")
			s.got <- l
			say("250 ok")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 ok")
		}
	}
}

func TestSend(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, scheme, user, query string
		server                    func(*server)
		want                      letter
	}{
		{"plain", "smtp", "", "", func(*server) {},
			letter{from: "FROM:<stoa@localhost>"}},
		{"encrypted when offered", "smtp", "", "?from=polls@stoa.test", func(s *server) { s.offersTLS = true },
			letter{from: "FROM:<polls@stoa.test>", encrypted: true}},
		{"not asked to", "smtp", "", "?starttls=off", func(s *server) { s.offersTLS = true },
			letter{from: "FROM:<stoa@localhost>"}},
		{"with a user", "smtp", "ann%40stoa.test:p%3Aw@", "", func(s *server) { s.offersTLS = true },
			letter{from: "FROM:<ann@stoa.test>", user: " ann@stoa.test p:w", encrypted: true}},
		{"encrypted at once", "smtps", "ann:pw@", "", func(s *server) { s.implicit = true },
			letter{from: "FROM:<stoa@localhost>", user: " ann pw", encrypted: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server, trusted := newServer(t, test.server)
			sender, err := Open(test.scheme + "://" + test.user + server.listener.Addr().String() + test.query)
			if err != nil {
				t.Fatal(err)
			}
			sender.tls.RootCAs = trusted
			if err := sender.Send(t.Context(), "bob@stoa.test", "Grüße", "Hello\n.\nπ"); err != nil {
				t.Fatal(err)
			}
			got := <-server.got
			header, body, _ := strings.Cut(got.text, "\n\n")
			got.from, _, _ = strings.Cut(got.from, " ")
			got.text = ""
			test.want.to = "TO:<bob@stoa.test>"
			if got != test.want {
				t.Errorf("got %+v want %+v", got, test.want)
			}
			for _, want := range []string{"To: <bob@stoa.test>", "Subject: =?UTF-8?q?Gr=C3=BC=C3=9Fe?=", "Date: ", "Message-ID: ", "text/plain; charset=UTF-8"} {
				if !strings.Contains(header, want) {
					t.Errorf("got header %s\nwant %s", header, want)
				}
			}
			if want := "Hello\n.\n=CF=80"; strings.TrimSpace(body) != want {
				t.Errorf("got %q want %q", body, want)
			}
		})
	}
}

func TestSendRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, user, to string
		server         func(*server)
		trust          bool
	}{
		{"a password in clear", "ann:pw@", "bob@stoa.test", func(*server) {}, true},
		{"a certificate of a stranger", "ann:pw@", "bob@stoa.test", func(s *server) { s.offersTLS = true }, false},
		{"a mailbox that is not there", "", "bob@stoa.test", func(s *server) { s.refuses = true }, true},
		{"two lines of addresses", "", "bob@stoa.test\r\nBcc: eve@stoa.test", func(*server) {}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			server, trusted := newServer(t, test.server)
			sender, err := Open("smtp://" + test.user + server.listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			if test.trust {
				sender.tls.RootCAs = trusted
			}
			if err := sender.Send(t.Context(), test.to, "Hello", "Hello"); err == nil {
				t.Error("got no error")
			} else if strings.Contains(err.Error(), "pw") {
				t.Errorf("got the password in %v", err)
			}
		})
	}
}

func TestSendEndsWithItsContext(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	sender, err := Open("smtp://" + silent.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan error, 1)
	go func() { sent <- sender.Send(ctx, "bob@stoa.test", "Hello", "Hello") }()
	conn, err := silent.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	cancel()
	select {
	case err := <-sent:
		if err == nil {
			t.Error("got no error")
		}
	case <-time.After(20 * time.Second): // well before the sender gives up by itself
		t.Error("got no end of sending")
	}
}

func TestOpenRefusals(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://mail.test":                     "smtp://",
		"mail.test:25":                         "smtp",
		"smtp://":                              "host",
		"smtp://ann:secret@mail.test:x":        "port",
		"smtp://ann:secret@mail.test:70000":    "port",
		"smtp://mail.test/inbox":               "host alone",
		"smtp://mail.test?tls=yes":             `"tls"`,
		"smtp://mail.test?starttls=perhaps":    "required, auto or off",
		"smtps://mail.test?starttls=off":       "leave it out",
		"smtp://mail.test?from=nobody":         "from",
		"smtp://ann:secret@mail.test?from=%zz": "%zz",
	} {
		_, err := Open(address)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v want %s", address, err, want)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: got the password in %v", address, err)
		}
	}
	for address, want := range map[string]string{
		"smtp://mail.test": "stoa@mail.test", "smtps://ann:x@mail.test": "stoa@mail.test", "smtp://a%40b.test:x@mail.test": "a@b.test",
	} {
		if s, err := Open(address); err != nil || s.from != want {
			t.Errorf("%s: got %+v, %v want from %s", address, s, err, want)
		}
	}
}

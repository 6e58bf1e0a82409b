package app

import (
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"

	"stoa/internal/secret"
	"stoa/polls"
	"stoa/polls/limits"
	"stoa/video"
	"stoa/video/ingest"
)

// Settings is what all services share, and the rooms' own. A name is the same as a
// flag, in the environment (STOA_DATA) and in stoa.yaml (data).
type Settings struct {
	Storage `embed:""`

	Listen               Address        `help:"Where the pages and the poll API listen." default:"127.0.0.1:8000"`
	PublicURL            PublicURL      `name:"public-url" help:"The address that people see. Default: that of listen." placeholder:"URL"`
	SecondPublicURL      PublicURL      `name:"second-public-url" help:"The same for the second environment." placeholder:"URL"`
	VideoListen          Address        `help:"Where the video API, the players and the media listen." default:"127.0.0.1:8010"`
	VideoPublicURL       PublicURL      `name:"video-public-url" help:"The address that people see of it. Default: that of video-listen." placeholder:"URL"`
	SecondVideoListen    Address        `help:"The same for the second environment." default:"127.0.0.1:8011"`
	SecondVideoPublicURL PublicURL      `name:"second-video-public-url" help:"The same for the second environment." placeholder:"URL"`
	RTMPListen           DoorAddress    `name:"rtmp-listen" help:"Where publishers of live streams come in by RTMP; off for none." default:"127.0.0.1:1935"`
	RTMPSListen          DoorAddress    `name:"rtmps-listen" help:"The same with TLS; needs tls-cert." default:"127.0.0.1:1936"`
	SRTListen            DoorAddress    `name:"srt-listen" help:"The same by SRT, over UDP." default:"127.0.0.1:6200"`
	SRTPassphrase        string         `name:"srt-passphrase" help:"What SRT publishers encrypt with who do, 10 to 79 characters." placeholder:"TEXT"`
	WHIPListen           DoorAddress    `name:"whip-listen" help:"Where pictures and sound of browsers come in that publish by WHIP, over UDP." default:"127.0.0.1:8012"`
	WHIPPublicIPs        []string       `name:"whip-public-ips" help:"Addresses that browsers reach this machine by, where it has others." placeholder:"IP"`
	TLSCert              string         `name:"tls-cert" help:"Certificate (PEM) of the listeners for people, read again when it changes." type:"path" placeholder:"FILE"`
	TLSKey               string         `name:"tls-key" help:"Its key (PEM)." type:"path" placeholder:"FILE"`
	ACMEHosts            []ACMEHost     `name:"acme-hosts" help:"Hosts whose certificates are fetched from an authority, instead of tls-cert." placeholder:"HOST"`
	ACMEEmail            string         `name:"acme-email" help:"Where the authority writes to." placeholder:"ADDRESS"`
	ACMEDirectory        string         `name:"acme-directory" help:"Address of the authority." default:"https://acme-v02.api.letsencrypt.org/directory" placeholder:"URL"`
	ACMERoot             string         `name:"acme-root" help:"Certificates (PEM) that vouch for that address, where the system does not." type:"path" placeholder:"FILE"`
	TrustedProxies       []Network      `help:"Networks whose X-Forwarded-For counts." placeholder:"NETWORK"`
	Limits               string         `help:"Whether requests are limited: ${enum}." enum:"on,off" default:"on"`
	LimitsAddress        ServiceAddress `help:"Another rate limit service to ask, instead of the counters of this process." placeholder:"HOST:PORT"`
	EgressAllow          []Network      `help:"Networks that imports, webhooks and restreams may reach besides the public ones." placeholder:"NETWORK"`
	Mail                 MailServer     `help:"Mail server: smtp://… or smtps://… Without one no mail is sent." placeholder:"URL"`

	Polls polls.Config `embed:"" prefix:"polls-"`
	Video video.Config `embed:"" prefix:"video-"`
}

// Storage is where things are kept, and whether there is a second environment.
type Storage struct {
	Data         string        `help:"Folder for everything that is kept on this machine." default:"./stoa-data" type:"path"`
	DB           Database      `name:"db" help:"A SQLite file, or postgres://… Default: stoa.db in the data folder." placeholder:"WHERE"`
	Blob         Files         `help:"Where files are kept: a folder, or s3://… Default: blobs in the data folder." placeholder:"WHERE"`
	Secret       string        `help:"The key of stored secrets. Default: made once and kept in the data folder." placeholder:"TEXT"`
	SecondListen SecondAddress `help:"Where the second environment, staging, listens; off for none." default:"127.0.0.1:8001"`
	SecondDB     Database      `name:"second-db" help:"Its database. Default: in staging in the data folder." placeholder:"WHERE"`
	SecondBlob   Files         `help:"Its files. Default: in staging in the data folder." placeholder:"WHERE"`
}

// Staging is the name of the second environment.
const Staging = "staging"

// Environments is the names of both.
func Environments() []string { return []string{production, Staging} }

const production = polls.Production // the rooms agree on it

// place is where one environment keeps what it keeps.
type place struct {
	environment string
	folder      string
	db          Database
	blob        Files
	secret      string // "": the file in the folder
}

// place finds an environment. The error says why there is no second one.
func (s Storage) place(environment string) (place, error) {
	p := place{environment, s.Data, s.DB, s.Blob, s.Secret}
	if environment == Staging {
		if err := s.second(); err != nil {
			return place{}, fmt.Errorf("there is no environment %s: %w", Staging, err)
		}
		p.folder, p.db, p.blob = filepath.Join(s.Data, Staging), s.SecondDB, s.SecondBlob
	}
	if p.db == "" {
		p.db = Database(filepath.Join(p.folder, "stoa.db"))
	}
	if p.blob == "" {
		p.blob = Files(filepath.Join(p.folder, "blobs"))
	}
	return p, nil
}

var errSecondOff = errors.New("second_listen is off")

// second tells what keeps the second environment from being there. Beside a
// server that others share, a file of this machine would be a trap.
func (s Storage) second() error {
	switch {
	case s.SecondListen == off || s.SecondListen == "":
		return errSecondOff
	case s.DB.postgres() && s.SecondDB == "":
		return errors.New("db is in PostgreSQL and second_db names no database")
	case s.Blob.s3() && s.SecondBlob == "":
		return errors.New("blob is in S3 and second_blob names no place")
	}
	return nil
}

// check tells what no setting shows alone.
func (s Settings) check() error {
	var errs []error
	if (s.TLSCert == "") != (s.TLSKey == "") {
		errs = append(errs, errors.New("tls_cert, tls_key: want both or none"))
	}
	errs = append(errs, s.checkACME())
	if s.Secret != "" {
		if _, err := secret.New(s.Secret); err != nil {
			errs = append(errs, fmt.Errorf("secret: %w", err))
		}
	}
	if s.DB != "" && s.DB == s.SecondDB {
		errs = append(errs, errors.New("second_db: want another database than db"))
	}
	if s.Blob != "" && s.Blob == s.SecondBlob {
		errs = append(errs, errors.New("second_blob: want another place than blob"))
	}
	if s.PublicURL != "" && s.PublicURL.origin() == s.SecondPublicURL.origin() {
		errs = append(errs, errors.New("second_public_url: want another address than public_url"))
	}
	if s.Polls.Rules != "" {
		if _, err := limits.Rules(s.Polls.Rules, polls.LimitDomain(polls.Production)); err != nil {
			errs = append(errs, fmt.Errorf("polls_rules: %w", err))
		}
	}
	if s.SRTPassphrase != "" {
		if err := ingest.CheckPassphrase(s.SRTPassphrase); err != nil {
			errs = append(errs, fmt.Errorf("srt_passphrase: %w", err))
		}
	}
	for _, ip := range s.WHIPPublicIPs {
		if _, err := netip.ParseAddr(ip); err != nil {
			errs = append(errs, fmt.Errorf("whip_public_ips: want addresses such as 203.0.113.7, not %q", ip))
		}
	}
	if s.VideoPublicURL != "" && s.VideoPublicURL.origin() == s.SecondVideoPublicURL.origin() {
		errs = append(errs, errors.New("second_video_public_url: want another address than video_public_url"))
	}
	return errors.Join(append(errs, s.Polls.Validate(), s.Video.Validate())...)
}

func (s Settings) proxies() []netip.Prefix     { return prefixes(s.TrustedProxies) }
func (s Settings) egressAllow() []netip.Prefix { return prefixes(s.EgressAllow) }

func prefixes(networks []Network) []netip.Prefix {
	var all []netip.Prefix
	for _, n := range networks {
		all = append(all, n.Prefix)
	}
	return all
}

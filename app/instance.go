package app

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
)

// Instance is where a server with the same settings is found, from this machine.
type Instance struct {
	Folder       string // what the environment keeps on this machine
	Polls, Video string // origins
	RTMP         string // where broadcasts are sent to; "": they are not taken
	Client       *http.Client
}

// Instance finds the server of an environment. It asks nobody: whether one runs, a
// request tells.
func (s Settings) Instance(environment string) (Instance, error) {
	where, err := s.place(environment)
	if err != nil {
		return Instance{}, err
	}
	listen, public := [2]Address{s.Listen, s.VideoListen}, [2]PublicURL{s.PublicURL, s.VideoPublicURL}
	if environment == Staging {
		listen = [2]Address{Address(s.SecondListen), s.SecondVideoListen}
		public = [2]PublicURL{s.SecondPublicURL, s.SecondVideoPublicURL}
	}
	i := Instance{Folder: where.folder, RTMP: s.broadcasts()}
	near := map[string]string{}
	for room, origin := range []*string{&i.Polls, &i.Video} {
		if *origin, err = s.reach(listen[room], public[room], near); err != nil {
			return Instance{}, err
		}
	}
	i.Client, err = s.client(near)
	return i, err
}

// reach is the origin of a listener. near is told how to get to it past any proxy.
func (s Settings) reach(listen Address, public PublicURL, near map[string]string) (string, error) {
	host, port, err := net.SplitHostPort(string(listen))
	if err != nil {
		return "", err
	}
	if port == "0" {
		return "", fmt.Errorf("the port of %s is any: name the one that the server has", listen)
	}
	host = onThisMachine(host)
	scheme := "http"
	if s.speaksTLS() {
		scheme = "https"
	}
	if public == "" {
		return scheme + "://" + net.JoinHostPort(host, port), nil
	}
	u, err := url.Parse(public.origin())
	if err != nil {
		return "", err
	}
	if u.Scheme == scheme { // else a proxy speaks TLS, and knows the way
		usual := map[string]string{"http": "80", "https": "443"}[u.Scheme]
		if u.Port() != "" {
			usual = u.Port()
		}
		near[net.JoinHostPort(u.Hostname(), usual)] = net.JoinHostPort(host, port)
	}
	return public.origin(), nil
}

// onThisMachine is where a listener is reached: one that listens everywhere, here.
func onThisMachine(host string) string {
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		return "localhost"
	}
	return host
}

// broadcasts is where ffmpeg sends a broadcast to.
func (s Settings) broadcasts() string {
	host, port, err := net.SplitHostPort(s.RTMPListen.address())
	if err != nil {
		return "" // off
	}
	return "rtmp://" + net.JoinHostPort(onThisMachine(host), port) + "/s"
}

// client goes to listeners of this machine directly, and trusts their certificate.
func (s Settings) client(near map[string]string) (*http.Client, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		if here, ok := near[address]; ok {
			address = here
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	if s.TLSCert != "" {
		trusted, err := x509.SystemCertPool()
		if err != nil {
			trusted = x509.NewCertPool()
		}
		pem, err := os.ReadFile(s.TLSCert)
		if err != nil {
			return nil, fmt.Errorf("tls_cert: %w", err)
		}
		if !trusted.AppendCertsFromPEM(pem) {
			return nil, errors.New("tls_cert: has no certificate")
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	}
	return &http.Client{Transport: transport}, nil
}

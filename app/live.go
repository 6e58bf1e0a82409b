package app

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"net/url"

	"stoa/console"
	"stoa/internal/web"
	"stoa/video"
	"stoa/video/ingest"
)

// openIngest prepares the doors for publishers of live streams, one set for all
// environments. RTMPS needs the certificate of the listeners for people.
func (a *App) openIngest() {
	s := a.cfg.Settings
	a.ingest = ingest.New(ingest.Options{
		RTMP: s.RTMPListen.address(), RTMPS: s.RTMPSListen.address(), SRT: s.SRTListen.address(), WHIP: s.WHIPListen.address(),
		TLS: a.liveTLS, Passphrase: s.SRTPassphrase, PublicIPs: s.WHIPPublicIPs,
		Client: func(r *http.Request) netip.Addr { return web.ClientAddress(r, s.proxies()) },
		Log:    a.log, Opened: a.announce,
	})
	a.fronts = append(a.fronts, a.ingest.Run)
}

// liveTLS is nil without a certificate.
func (a *App) liveTLS() *tls.Config {
	for _, e := range a.known {
		if e.certificate != nil {
			config := e.certificate.ServerConfig().Clone()
			config.NextProtos = nil // those of HTTP
			return config
		}
	}
	return nil
}

// whip answers browsers that publish; nil: none may.
func (a *App) whip() video.Whip {
	if a.ingest == nil || a.ingest.WHIP() == nil {
		return nil
	}
	return a.ingest.WHIP()
}

// doors is where publishers come in, as they see it from elsewhere: the host of the video
// origin with the ports that are listened on.
func (a *App) doors(videos *video.Service) console.Doors {
	s := a.cfg.Settings
	if videos == nil {
		return console.Doors{}
	}
	origin, err := url.Parse(videos.Origin)
	if err != nil {
		return console.Doors{}
	}
	at := func(scheme string, listen DoorAddress, path string) string {
		_, port, err := net.SplitHostPort(listen.address())
		if err != nil { // off
			return ""
		}
		return scheme + "://" + net.JoinHostPort(origin.Hostname(), port) + path
	}
	doors := console.Doors{
		RTMP: at("rtmp", s.RTMPListen, "/s"), SRT: at("srt", s.SRTListen, ""), Passphrase: s.SRTPassphrase != "",
	}
	if a.liveTLS() != nil {
		doors.RTMPS = at("rtmps", s.RTMPSListen, "/s")
	}
	if s.WHIPListen.address() != "" {
		doors.WHIP = videos.Origin + "/whip"
	}
	return doors
}

// outlivePublishers keeps what an environment stands on until every publisher has left,
// when the process ends: what they sent last is stored then. An environment that ends
// for itself waits for nobody.
func (e *environment) outlivePublishers(process context.Context) func(context.Context) error {
	return func(ctx context.Context) error {
		<-ctx.Done()
		if process.Err() != nil && e.app.ingest != nil && !e.worker {
			e.app.ingest.Wait()
		}
		return nil
	}
}

// Package whip lets publishers in from browsers, by WebRTC (WHIP, RFC 9725).
//
// A publisher posts an offer with the key of its stream and gets the answer (http.go,
// offer.go); it is taken to the [live.Door] between. Then packets of pictures and sound
// come, over one port of UDP for all: they are put in order (reorder.go), pictures are
// put together (assembler.go), both get their place in time (clock.go), and they become
// frames of a [live.Feed] (session.go).
package whip

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/pion/ice/v4"
	"github.com/pion/interceptor"
	"github.com/pion/logging"
	"github.com/pion/webrtc/v4"

	"stoa/video/internal/crowd"
	"stoa/video/internal/live"
)

// Options is what a server is made of. Limits that are 0 have their usual value.
type Options struct {
	Door      live.Door
	PublicIPs []string                       // of this machine, where they are not its own: behind NAT
	Client    func(*http.Request) netip.Addr // where a request comes from; nil: from whom it comes
	Log       *slog.Logger

	Sessions   int           // at once; 500
	PerAddress int           // of one address at once, or of one IPv6 network of 64 bits; 32
	Silence    time.Duration // without a picture or sound, also at the beginning; 15 s
	Discard    time.Duration // of what comes after the end of the broadcast; 1 minute
}

// Server takes what publishers send by WebRTC.
type Server struct {
	options Options
	crowd   *crowd.Crowd

	lock     sync.Mutex
	api      *webrtc.API // nil while it does not serve
	ctx      context.Context
	sessions map[string]*session
	running  sync.WaitGroup
}

// NewServer makes a server.
func NewServer(o Options) *Server {
	o.Sessions = cmp.Or(o.Sessions, 500)
	o.PerAddress = cmp.Or(o.PerAddress, 32)
	o.Silence = cmp.Or(o.Silence, 15*time.Second)
	o.Discard = cmp.Or(o.Discard, time.Minute)
	if o.Client == nil {
		o.Client = peer
	}
	return &Server{options: o, crowd: crowd.New(o.Sessions, o.PerAddress, o.Log.With("protocol", "whip")), sessions: map[string]*session{}}
}

func peer(r *http.Request) netip.Addr {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	return at.Addr()
}

// Serve takes the packets of all publishers from one port of UDP until the context ends.
// It closes the port and returns when all have left. Offers are refused before and
// after.
func (s *Server) Serve(ctx context.Context, port net.PacketConn) error {
	quiet := &logging.DefaultLoggerFactory{Writer: io.Discard, DefaultLogLevel: logging.LogLevelDisabled}
	mux := webrtc.NewICEUDPMux(quiet.NewLogger("ice"), port)
	defer port.Close()
	defer mux.Close()
	api, err := newAPI(mux, quiet, port.LocalAddr(), s.options.PublicIPs)
	if err != nil {
		return fmt.Errorf("listen for whip: %w", err)
	}
	s.open(ctx, api)
	<-ctx.Done()
	s.open(ctx, nil)
	s.running.Wait()
	return nil
}

func (s *Server) open(ctx context.Context, api *webrtc.API) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.ctx, s.api = ctx, api
}

// newAPI says what is understood: H.264 and Opus, with lost packets sent again. The side
// of ICE is the lite one, which answers checks and sends none: so nobody can make this
// machine send to an address that an offer names.
func newAPI(mux ice.UDPMux, log logging.LoggerFactory, local net.Addr, public []string) (*webrtc.API, error) {
	var settings webrtc.SettingEngine
	settings.LoggerFactory = log
	settings.SetLite(true)
	settings.SetICEUDPMux(mux)
	settings.SetNetworkTypes([]webrtc.NetworkType{webrtc.NetworkTypeUDP4, webrtc.NetworkTypeUDP6})
	settings.SetICEMulticastDNSMode(ice.MulticastDNSModeDisabled)
	settings.DisableActiveTCP(true)
	settings.SetICETimeouts(5*time.Second, 10*time.Second, 2*time.Second)
	settings.SetSCTPMaxReceiveBufferSize(64 << 10) // of data channels, which nobody reads
	if at, ok := local.(*net.UDPAddr); ok && at.IP.IsLoopback() {
		settings.SetIncludeLoopbackCandidate(true)
	}
	var registry interceptor.Registry
	var media webrtc.MediaEngine
	if len(public) > 0 {
		if err := settings.SetICEAddressRewriteRules(webrtc.ICEAddressRewriteRule{
			External:        public,
			AsCandidateType: webrtc.ICECandidateTypeHost,
			Mode:            webrtc.ICEAddressRewriteAppend,
		}); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(
		registerCodecs(&media),
		webrtc.ConfigureNack(&media, &registry),
		webrtc.ConfigureRTCPReports(&registry),
		webrtc.ConfigureTWCCSender(&media, &registry),
	); err != nil {
		return nil, err
	}
	return webrtc.NewAPI(webrtc.WithSettingEngine(settings), webrtc.WithMediaEngine(&media),
		webrtc.WithInterceptorRegistry(&registry)), nil
}

// registerCodecs names what publishers may send, the first being liked best. The numbers
// are those of the publisher in the end.
func registerCodecs(media *webrtc.MediaEngine) error {
	opus := webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2,
		SDPFmtpLine: "minptime=10;useinbandfec=1;stereo=1"}
	err := media.RegisterCodec(webrtc.RTPCodecParameters{RTPCodecCapability: opus, PayloadType: 111}, webrtc.RTPCodecTypeAudio)
	for n, profile := range []string{"42e01f", "42001f", "4d001f", "640c1f", "64001f"} {
		avc := webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeH264, ClockRate: 90000,
			SDPFmtpLine:  "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=" + profile,
			RTCPFeedback: []webrtc.RTCPFeedback{{Type: "nack", Parameter: "pli"}, {Type: "ccm", Parameter: "fir"}}}
		err = errors.Join(err, media.RegisterCodec(webrtc.RTPCodecParameters{RTPCodecCapability: avc,
			PayloadType: webrtc.PayloadType(96 + 2*n)}, webrtc.RTPCodecTypeVideo))
	}
	return err
}

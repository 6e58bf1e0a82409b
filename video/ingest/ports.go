package ingest

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"

	"golang.org/x/sync/errgroup"

	"stoa/video/internal/rtmp"
	"stoa/video/internal/srt"
)

// A port that another program has is an error that says so: nobody is to look for his
// broadcast at the wrong one.
func taken(name, setting, address string, err error) error {
	return fmt.Errorf("the port for %s: %w: stop what listens on %s, set %s to another address, or to off", name, err, address, setting)
}

func (l *Listeners) openRTMP(ctx context.Context, group *errgroup.Group) error {
	return l.serveRTMP(ctx, group, "rtmp", "rtmp_listen", l.o.RTMP, nil)
}

// openRTMPS does nothing without a certificate.
func (l *Listeners) openRTMPS(ctx context.Context, group *errgroup.Group) error {
	config := l.o.TLS()
	if config == nil {
		return nil
	}
	return l.serveRTMP(ctx, group, "rtmps", "rtmps_listen", l.o.RTMPS, config)
}

func (l *Listeners) serveRTMP(ctx context.Context, group *errgroup.Group, name, setting, address string, config *tls.Config) error {
	if address == "" {
		return nil
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return taken(name, setting, address, err)
	}
	server := rtmp.NewServer(rtmp.Options{Door: l, TLS: config, Log: l.o.Log})
	group.Go(func() error { return server.Serve(ctx, listener) })
	l.opened(name, address, listener.Addr())
	return nil
}

func (l *Listeners) openSRT(ctx context.Context, group *errgroup.Group) error {
	if l.o.SRT == "" {
		return nil
	}
	listener, err := srt.Listen(l.o.SRT)
	if err != nil {
		return taken("srt", "srt_listen", l.o.SRT, err)
	}
	server := srt.NewServer(srt.Options{Door: l, Passphrase: l.o.Passphrase, Log: l.o.Log})
	group.Go(func() error { return server.Serve(ctx, listener) })
	l.opened("srt", l.o.SRT, listener.Addr())
	return nil
}

func (l *Listeners) openWHIP(ctx context.Context, group *errgroup.Group) error {
	if l.whip == nil {
		return nil
	}
	port, err := new(net.ListenConfig).ListenPacket(ctx, "udp", l.o.WHIP)
	if err != nil {
		return taken("whip", "whip_listen", l.o.WHIP, err)
	}
	group.Go(func() error { return l.whip.Serve(ctx, port) })
	l.opened("whip", l.o.WHIP, port.LocalAddr())
	return nil
}

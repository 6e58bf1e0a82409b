package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"stoa/demo"
)

type demoLiveCommand struct {
	demoFlags
	RTMP string `name:"to" help:"Where to broadcast to. Default: the server of this machine." placeholder:"rtmp://HOST/s" setting:"no"`
}

// Help is shown by --help.
func (demoLiveCommand) Help() string {
	return `Makes the live stream "Demo", or takes the one that is there, and sends it a picture
that counts the seconds. The address to watch it at is printed first.

  stoa demo live`
}

func (c *demoLiveCommand) Run(ctx context.Context, p process) error {
	o, server, err := c.options(p)
	if err != nil {
		return err
	}
	to := cmp.Or(c.RTMP, server.RTMP)
	if to == "" {
		return errors.New("broadcasts are not taken: rtmp_listen is off; start the server with STOA_RTMP_LISTEN=127.0.0.1:1935")
	}
	signal, err := demo.Live(ctx, o, to)
	if err != nil {
		return err
	}
	fmt.Fprintln(p.stdout, signal.Player)
	fmt.Fprintln(p.stderr, "on air: open that address in the browser; Ctrl-C ends it")
	return signal.Send(ctx)
}

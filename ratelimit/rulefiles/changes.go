package rulefiles

import (
	"context"
	"log/slog"
	"time"

	"github.com/fsnotify/fsnotify"
)

// changes finds out that rule files have changed.
type changes struct {
	log     *slog.Logger
	of      string        // the folder or the file, for the log
	places  func() places // where to watch
	differs func() bool   // asked once a second where nothing can be watched
	notify  func() (*fsnotify.Watcher, error)
	polling bool // it was said that there are no watches
}

// each loads at once and after every change, until the context ends.
func (c *changes) each(ctx context.Context, load func()) {
	for ctx.Err() == nil {
		change, stop := c.watch()
		load()
		change(ctx)
		stop()
	}
}

// watch returns how to wait for a change after now. Without watches, as when the
// system has no more of them to give, it looks at the files once a second.
func (c *changes) watch() (change func(context.Context), stop func()) {
	e, err := newEvents(c.places, c.notify)
	if err != nil {
		if !c.polling {
			c.log.Warn("Cannot watch the rule files, looking every second instead", "directory", c.of, "error", err)
		}
		c.polling = true
		return c.poll, func() {}
	}
	c.polling = false
	return e.wait, e.close
}

func (c *changes) poll(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if c.differs() {
			return
		}
	}
}

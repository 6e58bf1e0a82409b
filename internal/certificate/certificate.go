// Package certificate keeps the certificate and key of a server as their files
// are now.
package certificate

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options is where a pair is, and who hears of it.
type Options struct {
	Cert, Key string // PEM files
	Log       *slog.Logger
	Read      func(error) // told of every reading, nil for a good one; may be nil
}

// Pair is a certificate and its key, read again when their folders change. New
// handshakes use the new pair; a broken one changes nothing.
type Pair struct {
	options Options
	pair    atomic.Pointer[tls.Certificate]
}

// Open reads the pair for the first time.
func Open(o Options) (*Pair, error) {
	if o.Read == nil {
		o.Read = func(error) {}
	}
	p := &Pair{options: o}
	if err := p.load(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Pair) load() error {
	pair, err := tls.LoadX509KeyPair(p.options.Cert, p.options.Key)
	p.options.Read(err)
	if err != nil {
		return err
	}
	p.pair.Store(&pair)
	return nil
}

// ServerConfig is the TLS of a server that shows the pair.
func (p *Pair) ServerConfig() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return p.pair.Load(), nil },
	}
}

// settle is how long the folders must be still: certificate and key are two writes.
const settle = 100 * time.Millisecond

// Run reads the pair again when a folder of its files changes, until the context
// ends.
func (p *Pair) Run(ctx context.Context) error {
	watcher, err := p.watch()
	if err != nil {
		return fmt.Errorf("watch certificates: %w", err)
	}
	defer watcher.Close()
	still := time.NewTimer(time.Hour)
	still.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case _, ok := <-watcher.Events:
			if !ok {
				return errors.New("watch certificates: the watch ended")
			}
			still.Reset(settle)
		case err := <-watcher.Errors:
			p.options.Log.Error("watch certificates", "error", err)
		case <-still.C:
			if err := p.load(); err != nil {
				p.options.Log.Error("the certificate could not be read again, the old one stays", "error", err)
				continue
			}
			p.options.Log.Info("certificate read again", "file", p.options.Cert)
		}
	}
}

// watch looks at the folders: files are often replaced, and then nobody writes to
// the old ones any more.
func (p *Pair) watch() (*fsnotify.Watcher, error) {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	for _, file := range []string{p.options.Cert, p.options.Key} { // the same folder twice is one watch
		if err := watcher.Add(filepath.Dir(file)); err != nil {
			return nil, errors.Join(err, watcher.Close())
		}
	}
	return watcher, nil
}

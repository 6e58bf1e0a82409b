// Package porter is what those who let publishers in have in common, whatever protocol
// they speak: which keys are looked up, why a publisher has to go, and what the log is
// told of it.
package porter

import (
	"errors"
	"log/slog"
	"runtime/debug"
	"strings"
)

// Why a publisher has gone, for the log.
var (
	ErrSilence   = errors.New("nothing came for too long that could be broadcast")
	ErrEnded     = errors.New("the broadcast has ended")
	ErrDismissed = errors.New("the broadcast does not want it any more")
	ErrStopping  = errors.New("the server stops")
)

// maxKey is the length of a key that is looked up, in bytes.
const maxKey = 128

// IsKey keeps what no key can be from the database: only printed ASCII is looked up.
func IsKey(key string) bool {
	return key != "" && len(key) <= maxKey && !strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' })
}

// Hint is as much of a key as a log may have.
func Hint(key string) string { return key[:min(4, len(key))] + "…" }

// Panicked tells whether there was a panic, and the log of it. What publishers send is
// parsed behind it, so that a panic ends nothing but a connection:
//
//	defer func() { porter.Panicked(log, recover()) }()
func Panicked(log *slog.Logger, recovered any) bool {
	if recovered == nil {
		return false
	}
	log.Error("a connection ended by a panic: please report it", "panic", recovered, "stack", string(debug.Stack()))
	return true
}

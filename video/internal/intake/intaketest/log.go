package intaketest

import (
	"bytes"
	"log/slog"
	"sync"
)

// Log keeps what is logged, of all levels.
type Log struct {
	lock sync.Mutex
	text bytes.Buffer
}

// Logger writes to the log.
func (l *Log) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// Write adds to the log.
func (l *Log) Write(b []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.Write(b)
}

// String is what was logged up to now.
func (l *Log) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.String()
}

package db

import (
	"context"
	"database/sql"
	"sync"
)

// statements runs SQL on a connection or a pool and prepares each text once.
// SQLite gains by it; the driver of PostgreSQL does the same by itself. When it
// is full, further texts run unprepared.
type statements struct {
	on     preparer
	mu     sync.RWMutex
	byText map[string]*sql.Stmt
}

type preparer interface {
	runner
	PrepareContext(ctx context.Context, text string) (*sql.Stmt, error)
}

func newStatements(on preparer) *statements {
	return &statements{on: on, byText: map[string]*sql.Stmt{}}
}

func (s *statements) ExecContext(ctx context.Context, text string, args ...any) (sql.Result, error) {
	if stmt := s.prepared(ctx, text); stmt != nil {
		return stmt.ExecContext(ctx, args...)
	}
	return s.on.ExecContext(ctx, text, args...)
}

func (s *statements) QueryContext(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	if stmt := s.prepared(ctx, text); stmt != nil {
		return stmt.QueryContext(ctx, args...)
	}
	return s.on.QueryContext(ctx, text, args...)
}

func (s *statements) QueryRowContext(ctx context.Context, text string, args ...any) *sql.Row {
	if stmt := s.prepared(ctx, text); stmt != nil {
		return stmt.QueryRowContext(ctx, args...)
	}
	return s.on.QueryRowContext(ctx, text, args...)
}

// prepared is nil when there is no room or the text is faulty: run as it is, it
// gives the error again.
func (s *statements) prepared(ctx context.Context, text string) *sql.Stmt {
	s.mu.RLock()
	stmt, room := s.byText[text], len(s.byText) < maxStatements
	s.mu.RUnlock()
	if stmt != nil || !room {
		return stmt
	}
	fresh, err := s.on.PrepareContext(ctx, positional(text))
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt := s.byText[text]; stmt != nil { // somebody was faster
		_ = fresh.Close()
		return stmt
	}
	s.byText[text] = fresh
	return fresh
}

func (s *statements) full() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.byText) >= maxStatements
}

// forget must not meet a running statement.
func (s *statements) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, stmt := range s.byText {
		_ = stmt.Close()
	}
	clear(s.byText)
}

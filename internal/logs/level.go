package logs

import (
	"errors"
	"log/slog"
	"strings"
)

// The levels that slog has no name for.
const (
	LevelTrace = slog.LevelDebug - 4
	LevelFatal = slog.LevelError + 4
	LevelPanic = slog.LevelError + 8
)

// Level is a level that reads itself from text, and the least that a logger
// writes. Its zero value is info.
type Level slog.Level

func (l Level) Level() slog.Level { return slog.Level(l) }

func (l Level) String() string { return levelName(slog.Level(l)) }

// UnmarshalText takes a name in any letter case.
func (l *Level) UnmarshalText(text []byte) error {
	level, err := ParseLevel(string(text))
	if err != nil {
		return err
	}
	*l = Level(level)
	return nil
}

// ParseLevel takes a name in any letter case. Its error lists the names.
func ParseLevel(name string) (slog.Level, error) {
	switch strings.ToLower(name) {
	case "trace":
		return LevelTrace, nil
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warning", "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	case "fatal":
		return LevelFatal, nil
	case "panic":
		return LevelPanic, nil
	}
	return 0, errors.New("want trace, debug, info, warning (or warn), error, fatal or panic")
}

// levelName is what stands in a line. A level between two has the lower name.
func levelName(l slog.Level) string {
	switch {
	case l < slog.LevelDebug:
		return "trace"
	case l < slog.LevelInfo:
		return "debug"
	case l < slog.LevelWarn:
		return "info"
	case l < slog.LevelError:
		return "warning"
	case l < LevelFatal:
		return "error"
	case l < LevelPanic:
		return "fatal"
	}
	return "panic"
}

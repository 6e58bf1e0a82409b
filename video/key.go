package video

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"iter"
	"regexp"
	"time"

	"stoa/internal/db"
	"stoa/internal/fault"
)

// Limits is how many calls of each kind a key may make a minute. Zero is the
// environment's own figure.
type Limits struct{ Uploads, Writes, Reads int }

// Key is an API key as operators see it. The key itself is shown once.
type Key struct {
	Name      string
	Project   string
	Limits    Limits
	Suspended bool
	Created   time.Time
}

// DefaultProject is that of keys for which none is named.
const DefaultProject = "default"

var (
	errNoKey    = fault.New(fault.NotFound, "there is no API key of that name: see stoa apikey list")
	errKeyTaken = fault.New(fault.Invalid, "there is an API key of that name: choose another, or delete that one first")
	errKeyName  = fault.New(fault.Invalid, "names of API keys and projects are 1 to 64 letters, digits, - _ and dots")

	keyName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
)

// CreateKey makes a key for a project and returns it, this once.
func (s *Service) CreateKey(ctx context.Context, name, project string, limits Limits) (string, error) {
	if !keyName.MatchString(name) || !keyName.MatchString(project) {
		return "", errKeyName
	}
	text := newKeyText()
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, `INSERT INTO video_keys (name, project, hash, uploads, writes, reads, suspended, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, FALSE, $7) ON CONFLICT (name) DO NOTHING`,
			name, project, hashOf(text), limits.Uploads, limits.Writes, limits.Reads, db.Micros(time.Now()))
		return changedOne(result, err, errKeyTaken)
	})
	return text, err
}

// newKeyText is 256 random bits.
func newKeyText() string {
	var random [32]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
}

// hashOf is how keys and tokens are stored and found. They are random, so a quick
// hash is enough.
func hashOf(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// FirstKey makes a key in a database that has none; "" when there is one.
func (s *Service) FirstKey(ctx context.Context) (string, error) {
	var keys int
	if err := s.db.QueryRow(ctx, `SELECT count(*) FROM video_keys`).Scan(&keys); err != nil || keys > 0 {
		return "", err
	}
	text, err := s.CreateKey(ctx, "first", DefaultProject, Limits{})
	if errors.Is(err, errKeyTaken) { // another process was quicker
		return "", nil
	}
	return text, err
}

// Keys is all keys, by name.
func (s *Service) Keys(ctx context.Context) iter.Seq2[Key, error] {
	return func(yield func(Key, error) bool) {
		rows, err := s.db.Query(ctx, `SELECT name, project, uploads, writes, reads, suspended, created_at FROM video_keys ORDER BY name`)
		if err != nil {
			yield(Key{}, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			var k Key
			var created int64
			err := rows.Scan(&k.Name, &k.Project, &k.Limits.Uploads, &k.Limits.Writes, &k.Limits.Reads, &k.Suspended, &created)
			k.Created = db.Time(created)
			if !yield(k, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(Key{}, err)
		}
	}
}

// SuspendKey shuts a key and its tokens out, or lets them in again.
func (s *Service) SuspendKey(ctx context.Context, name string, suspended bool) error {
	return s.changeKey(ctx, `UPDATE video_keys SET suspended = $2 WHERE name = $1`, name, suspended)
}

// DeleteKey ends a key and its tokens. What was made with it belongs to its project
// and stays.
func (s *Service) DeleteKey(ctx context.Context, name string) error {
	return s.changeKey(ctx, `DELETE FROM video_keys WHERE name = $1`, name)
}

func (s *Service) changeKey(ctx context.Context, text string, args ...any) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		result, err := tx.Exec(ctx, text, args...)
		return changedOne(result, err, errNoKey)
	})
}

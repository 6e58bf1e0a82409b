package analytics

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"time"

	"github.com/google/uuid"

	"stoa/internal/db"
)

// dayKeys holds the key of the day. All processes of an environment share it.
type dayKeys struct {
	db  *db.DB
	mu  sync.Mutex
	day int64
	key []byte // nil: none yet
}

// of is the key of a day.
func (k *dayKeys) of(ctx context.Context, at time.Time) ([]byte, error) {
	day := at.UnixMicro() / microsDay
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.key != nil && k.day == day {
		return k.key, nil
	}
	key, err := k.load(ctx, day)
	if err != nil {
		return nil, fmt.Errorf("read the key of the day: %w", err)
	}
	k.day, k.key = day, key
	return key, nil
}

func (k *dayKeys) load(ctx context.Context, day int64) (key []byte, err error) {
	fresh := make([]byte, 32)
	if _, err := rand.Read(fresh); err != nil {
		return nil, err
	}
	err = k.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO analytics_keys (day, key) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING`, day, fresh)
		return errors.Join(err, tx.QueryRow(ctx, `SELECT key FROM analytics_keys WHERE day = $1`, day).Scan(&key))
	})
	return key, err
}

// viewer is the same for one address and user agent until the day ends.
func viewer(key []byte, address netip.Addr, agent string) int64 {
	return int64(binary.BigEndian.Uint64(keyed(key, "viewer", address.String(), agent)))
}

// sessionID names a playback of a player that has no id yet. The same first batch,
// sent twice because the answer got lost, gives the same one.
func sessionID(key []byte, parts ...string) string {
	var id uuid.UUID
	copy(id[:], keyed(key, append([]string{"session"}, parts...)...))
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // version 8: of our own making
	return id.String()
}

func keyed(key []byte, parts ...string) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write([]byte(part))
		mac.Write([]byte{0})
	}
	return mac.Sum(nil)
}

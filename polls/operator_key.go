package polls

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"stoa/internal/db"
	"stoa/polls/internal/credential"
	"stoa/polls/internal/wire"
)

// AnonymousKey is a key that ids of people without an account are signed with.
type AnonymousKey struct {
	Number  int  // the first byte of the ids
	Retired bool // such ids are refused
	Newest  bool // new ids get it
}

// AnonymousKeys lists them by number.
func (s *Service) AnonymousKeys(ctx context.Context) ([]AnonymousKey, error) {
	keys, err := readKeys(ctx, s.db, s.Box)
	if err != nil {
		return nil, fmt.Errorf("read the keys of anonymous ids: %w", err)
	}
	var all []AnonymousKey
	for _, k := range keys {
		if k.Purpose == credential.AnonymousIDs {
			all = append(all, AnonymousKey{Number: k.Number, Retired: k.Retired})
		}
	}
	slices.SortFunc(all, func(a, b AnonymousKey) int { return cmp.Compare(a.Number, b.Number) })
	for i := range slices.Backward(all) {
		if !all[i].Retired {
			all[i].Newest = true
			break
		}
	}
	return all, nil
}

// NewAnonymousKey makes the key that ids get from now on. Those of older keys stay good.
func (s *Service) NewAnonymousKey(ctx context.Context) (number int, err error) {
	err = s.db.InTx(ctx, func(tx *db.Tx) error {
		have, err := lockKeys(ctx, tx, s.Box)
		if err != nil {
			return err
		}
		k, err := credential.Next(have)
		if err != nil {
			return wire.Errorf(wire.Forbidden, "", "%v", err)
		}
		number = k.Number
		return storeKey(ctx, tx, s.Box, k)
	})
	return number, err
}

// RetireAnonymousKey has every id refused that a key has signed. Votes that were cast
// with them stay as they are. The newest cannot be retired, so that there is always one.
func (s *Service) RetireAnonymousKey(ctx context.Context, number int) error {
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		have, err := lockKeys(ctx, tx, s.Box)
		if err != nil {
			return err
		}
		newest, there := 0, false
		for _, k := range have {
			if k.Purpose == credential.AnonymousIDs {
				there = there || k.Number == number
				if !k.Retired {
					newest = max(newest, k.Number)
				}
			}
		}
		switch {
		case !there:
			return wire.Errorf(wire.Unknown, "number", "there is no key %d; list them", number)
		case number == newest:
			return wire.Errorf(wire.InvalidParameter, "number", "key %d signs new ids; make another one first", number)
		}
		_, err = tx.Exec(ctx, "UPDATE secrets SET retired = TRUE WHERE purpose = $1 AND number = $2", string(credential.AnonymousIDs), number)
		return err
	})
}

// keysEvery is how soon a server notices what operators did with the keys.
const keysEvery = 2 * time.Second

// watchKeys follows them.
func (s *Service) watchKeys(ctx context.Context) error {
	return every(ctx, keysEvery, func() {
		keys, err := readKeys(ctx, s.db, s.Box)
		if err == nil {
			err = s.keys.Renew(keys)
		}
		if err != nil && ctx.Err() == nil {
			s.log.Warn("look for new and retired keys", "error", err)
		}
	})
}

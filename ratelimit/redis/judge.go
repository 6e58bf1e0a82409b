package redis

import (
	"context"
	"fmt"
	"strconv"

	"stoa/ratelimit"
)

// judge is AddUnlessOver where one script can do it.
func (p *pool) judge(ctx context.Context, hits []ratelimit.Hit) error {
	if len(hits) == 0 {
		return nil
	}
	keys := make([]string, len(hits))
	args := make([]string, 0, 3*len(hits))
	for i := range hits {
		h := &hits[i]
		keys[i] = string(h.Key)
		add := int64(h.Add)
		if h.Back {
			add = -add
		}
		args = append(args, strconv.FormatInt(add, 10), strconv.FormatUint(uint64(h.Limit), 10), strconv.FormatInt(p.expirySeconds(h), 10))
	}
	var counts []int64
	err := p.inside(ctx, func(s *session) (err error) {
		counts, err = addUnlessOver.Exec(ctx, s.client, keys, args).AsIntSlice()
		return err
	})
	if err != nil {
		return err
	}
	if len(counts) != 2*len(hits) {
		return fmt.Errorf("redis: %d counts for %d hits", len(counts), len(hits))
	}
	for i := range hits {
		hits[i].Count = uint64(max(counts[i], 0))
	}
	ratelimit.SpareOthers(hits)
	for i := range hits {
		hits[i].Count = uint64(max(counts[len(hits)+i], 0))
	}
	return nil
}

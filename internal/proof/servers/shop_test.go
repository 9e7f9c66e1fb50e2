package servers_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// shop is a source whose values have versions, read through two regions over caches of their own, as two processes do, and invalidated through the
// first alone.
type shop struct {
	regions [2]*cacheaside.Region[string, string]
	book    *book
	wares   []*ware
}

type ware struct {
	key     string
	version atomic.Int64 // of the source
	floor   atomic.Int64 // nothing older may be answered to who asks from now on
}

// load is the source. Between what it read and what it answers there is time for an invalidation.
func (s *shop) load(ctx context.Context, w *ware, size int, takes time.Duration) cacheaside.SourceOutcome[string] {
	version := w.version.Load()
	timer := time.NewTimer(takes)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return cacheaside.Cancelled[string](ctx.Err())
	case <-timer.C:
	}
	return cacheaside.Loaded(compose(w.key, version, size), "")
}

// buy is one Get of a ware, which must be whole, and at least as new as what was invalidated before it began.
func (s *shop) buy(ctx context.Context, dice *rand.Rand) {
	w, region, size := s.wares[dice.IntN(len(s.wares))], s.regions[dice.IntN(2)], dice.IntN(smallSpan)
	if dice.IntN(8) == 0 {
		size += leastLarge
	}
	takes, floor := time.Duration(dice.Int64N(int64(2*pace))), w.floor.Load()
	result, err := cacheaside.Get(ctx, region, w.key, func(ctx context.Context, _ string) cacheaside.SourceOutcome[string] {
		return s.load(ctx, w, size, takes)
	})
	s.book.count("get " + result.Status.String())
	if err != nil {
		if !errors.Is(err, cacheaside.ErrRejected) {
			s.book.note("%s: get: %v", w.key, err)
		}
		return
	}
	key, version, err := whole(result.Value)
	switch {
	case err != nil || key != w.key:
		s.book.note("%s: got %d bytes that are of key %q, %v", w.key, len(result.Value), key, err)
	case version < floor:
		s.book.note("%s: got version %d (%v) after the invalidation of all before %d", w.key, version, result.Status, floor)
	case version > w.version.Load():
		s.book.note("%s: got version %d, which there has never been", w.key, version)
	}
}

// change writes the source, then invalidates. It has one caller at a time.
func (s *shop) change(ctx context.Context, dice *rand.Rand) {
	w := s.wares[dice.IntN(len(s.wares))]
	s.replace(ctx, w)
}

func (s *shop) replace(ctx context.Context, w *ware) error {
	version := w.version.Add(1)
	err := cacheaside.Invalidate(ctx, s.regions[0], w.key)
	var failed *cacheaside.InvalidateError
	switch {
	case err == nil:
		s.book.count("shop invalidation applied")
		s.book.mu.Lock()
		if s.book.losses == nothingLost {
			w.floor.Store(version)
		}
		s.book.mu.Unlock()
	case errors.As(err, &failed):
		s.book.count("shop invalidation " + failed.Certainty.String())
	default:
		s.book.note("%s: invalidate: %v", w.key, err)
	}
	return err
}

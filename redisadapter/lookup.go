package redisadapter

import (
	"context"

	"github.com/cacheaside/resilience/cacheaside"
)

// Lookup reads the entry of key in one round trip, within LookupTimeout whatever ctx says, and writes nothing. A plain cancel of ctx while the reply
// is awaited is noticed at LookupTimeout at the latest.
//
// Err of a [cacheaside.LookupUnavailable] is a *[StoreError], or a *[cacheaside.FieldError] for a key that is empty or too long, which no command was
// sent for.
func (c *Cache[K, V]) Lookup(ctx context.Context, key K) cacheaside.Lookup[V] {
	physicalKey, err := c.physical(key)
	if err != nil {
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnavailable, Err: err}
	}
	if c.generations != nil {
		return c.lookupInGeneration(ctx, physicalKey)
	}
	found, _ := c.lookup(ctx, physicalKey, nil)
	return found
}

// lookup reads and judges an entry by the generation that is known; nil where the region has none. other tells that it is of another one.
func (c *Cache[K, V]) lookup(ctx context.Context, physicalKey string, known *generation) (found cacheaside.Lookup[V], other bool) {
	raw, fault, err := c.store.read(ctx, physicalKey)
	switch {
	case fault == FaultWrongType:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnusable, Entry: cacheaside.EntryForeign}, false
	case err != nil:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnavailable, Err: err}, false
	case len(raw) == 0:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}, false
	case len(raw) > c.limits.read:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnusable, Entry: cacheaside.EntryOversize}, false
	}
	return c.judge(physicalKey, raw, known)
}

// lookupInGeneration also learns the region's generation where it is not known, and once more where an entry is of another one, which may be a newer.
func (c *Cache[K, V]) lookupInGeneration(ctx context.Context, physicalKey string) cacheaside.Lookup[V] {
	begun := c.clock.Now()
	known, _, err := c.generation(ctx)
	if err != nil {
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnavailable, Err: err}
	}
	found, other := c.lookup(ctx, physicalKey, known)
	if other && known.asked.Before(begun) {
		if known, _, err = c.readGeneration(ctx); err != nil {
			return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnavailable, Err: err}
		}
		found, _ = c.lookup(ctx, physicalKey, known)
	}
	found.Generation = cacheaside.Generation(known.number)
	return found
}

// read gets the entry, and one byte more than an entry may have if there are as many. A range from 0 to max holds max+1 bytes, the server sends no
// more whatever is stored, and a missing key reads as "", which no entry is.
func (s *store) read(ctx context.Context, physicalKey string) ([]byte, Fault, error) {
	if s.breaker.isOpen() {
		return nil, FaultBreakerOpen, newStoreError(opLookup, FaultBreakerOpen, ErrBreakerOpen)
	}
	call := s.ticks.limited(ctx)
	defer call.cancel()
	cmd := newRange(call.ctx, physicalKey, 0, s.lastArg)
	if err := s.port.reads.Process(call.ctx, cmd); err != nil {
		fault := s.faultOf(&call, physicalKey, err, false)
		return nil, fault, call.failure(opLookup, fault, err)
	}
	s.breaker.observe(alive, s)
	raw, err := cmd.Bytes()
	return raw, 0, err
}

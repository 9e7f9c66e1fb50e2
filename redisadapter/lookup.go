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
	raw, fault, err := c.store.read(ctx, physicalKey)
	switch {
	case fault == FaultWrongType:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnusable, Entry: cacheaside.EntryForeign}
	case err != nil:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnavailable, Err: err}
	case len(raw) == 0:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupMiss, Miss: cacheaside.MissAbsent}
	case len(raw) > c.limits.read:
		return cacheaside.Lookup[V]{Kind: cacheaside.LookupUnusable, Entry: cacheaside.EntryOversize}
	}
	return c.judge(physicalKey, raw)
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

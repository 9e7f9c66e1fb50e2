package redisadapter

import (
	"context"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
)

// OrderedRevisions implements [cacheaside.Putter]: it tells Config.OrderedRevisions.
func (c *Cache[K, V]) OrderedRevisions() bool { return c.ordered }

// Put implements [cacheaside.Putter] in one script that is sent once, within RecordTimeout. What it cannot store, and what it cannot tell, are as with
// [Cache.Record]; a cache without ordered revisions refuses as [cacheaside.RecordUnfenced]. The value passes through the script whatever its size.
func (c *Cache[K, V]) Put(ctx context.Context, key K, entry cacheaside.Entry[V]) cacheaside.RecordOutcome {
	if !c.ordered {
		return notApplied(cacheaside.RecordUnfenced, nil)
	}
	physicalKey, err := c.fencedKey(key)
	if err != nil {
		return notApplied(cacheaside.RecordNeverSent, err)
	}
	if c.store.breaker.isOpen() {
		return notApplied(cacheaside.RecordNeverSent, newStoreError(opPut, FaultBreakerOpen, ErrBreakerOpen))
	}
	call := limited(ctx, c.store.limits.record) // encoding and sealing included
	defer call.cancel()
	if entry.Generation == 0 && c.generations != nil {
		// What is put is as new as the generation that is known only if every change of the region is put: see [cacheaside.Put].
		known, fault, err := c.generation(ctx)
		if err != nil {
			return notApplied(cacheaside.RecordNeverSent, newStoreError(opPut, fault, err))
		}
		entry.Generation = cacheaside.Generation(known.number)
	}
	e, refused := c.seal(physicalKey, &entry)
	if refused.Certainty != cacheaside.RecordNone {
		return refused
	}
	other, refused := c.sealEnvelope(
		sibling(physicalKey, kindValue), &envelope.Envelope{Kind: envelope.KindTombstone, HardExpiresAt: c.clock.Now().Add(c.schedule.Tombstone())}, 0,
	)
	if refused.Certainty != cacheaside.RecordNone {
		return refused
	}
	goods := &shipment{raw: e.raw, hard: e.hard, clock: c.clock}
	keys := []string{physicalKey, sibling(physicalKey, kindGrant), other.key}
	code, err := c.store.runScript(&call, putScript, keys, goods,
		goods, lifeArg{goods}, opaque(entry.Revision), c.schedule.Tombstone().Milliseconds(), opaque(other.raw))
	return c.store.settle(&call, e, goods, verdict{op: opPut, code: code, err: err})
}

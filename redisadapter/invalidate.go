package redisadapter

import (
	"context"

	"github.com/cacheaside/resilience/cacheaside"
	"github.com/cacheaside/resilience/envelope"
)

// Invalidate writes a tombstone over the entry of key in one atomic step that is sent once, within RecordTimeout. Whatever entry is there is
// replaced, of any version; a value of another application's type is not, and is reported as [cacheaside.RecordConditionFailed]. A server that is out
// of memory takes it nevertheless, from version 7 on. While the key's slot moves to another node of a cluster it takes three steps, each sent once
// and in the order in which what is said here holds. For TombstoneTTL every lookup is then a miss, and every record that began before is refused,
// also one whose command still lingers somewhere: it asks for an absent key or for another digest.
func (c *Cache[K, V]) Invalidate(ctx context.Context, key K) cacheaside.RecordOutcome {
	physicalKey, err := c.physical(key)
	if err != nil {
		return notApplied(cacheaside.RecordNeverSent, err)
	}
	if c.store.breaker.isOpen() {
		return notApplied(cacheaside.RecordNeverSent, newStoreError(opInvalidate, FaultBreakerOpen, ErrBreakerOpen))
	}
	call := limited(ctx, c.store.limits.record)
	defer call.cancel()
	expires := c.clock.Now().Add(c.schedule.Tombstone())
	e, refused := c.sealEnvelope(physicalKey, &envelope.Envelope{Kind: envelope.KindTombstone, HardExpiresAt: expires}, 0)
	if refused.Certainty != cacheaside.RecordNone {
		return refused
	}
	other, refused := c.sealEnvelope(
		sibling(physicalKey, otherKind(c.keys.kind)), &envelope.Envelope{Kind: envelope.KindTombstone, HardExpiresAt: expires}, 0,
	)
	if refused.Certainty != cacheaside.RecordNone {
		return refused
	}
	return c.store.bury(&call, e, other, c.Fenced(), c.ordered)
}

// bury puts a tombstone over the entry, one over that of the other mode, and supersedes every grant.
func (s *store) bury(c *call, e, other *sealed, fenced, ordered bool) cacheaside.RecordOutcome {
	goods := &shipment{raw: e.raw, hard: e.hard, clock: s.clock}
	keys := []string{e.key, other.key, sibling(e.key, kindGrant)}
	args := []any{goods, lifeArg{goods}, opaque(other.raw), flag(fenced)}
	code, err := s.runScript(c, tombstoneScript, keys, goods, args...)
	if replyFaultOf(err) == FaultOutOfMemory {
		code, err = s.buryInFull(c, keys, args, goods, err)
	}
	if isSplit(err) && !ordered {
		return s.burySeparately(c, e, other, fenced)
	}
	return s.settle(c, e, goods, verdict{op: opInvalidate, code: code, err: err})
}

// allowOutOfMemory is what a script says of itself to be run by a server that is out of memory. Servers before 7.0 cannot read it.
const allowOutOfMemory = "#!lua flags=allow-oom\n"

// buryInFull writes the tombstone to a server that has just refused it for want of memory, and so has certainly not executed it. A tombstone is smaller
// than any entry that it replaces, and without it the old value would be answered until it expires, however often the caller tries again.
func (s *store) buryInFull(c *call, keys []string, args []any, goods *shipment, refusal error) (int64, error) {
	goods.sent.Store(0)
	code, err := s.invoke(c, "eval", allowOutOfMemory+tombstoneScript.source, keys, args)
	if goods.sent.Load() == 0 || isCompileError(err) {
		goods.sent.Store(1)
		return 0, refusal
	}
	return code, err
}

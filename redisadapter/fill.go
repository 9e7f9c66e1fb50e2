package redisadapter

import (
	"context"
	"strconv"

	"github.com/cacheaside/resilience/cacheaside"
)

// Fill implements [cacheaside.Fencer] in one atomic step that is sent once, as [Cache.Record] is: the entry is stored only under a fence record that
// is there and is the fence's, whatever else is stored by then, and the grant ends. What it cannot store, and what it cannot tell, are as there.
func (c *Cache[K, V]) Fill(
	ctx context.Context, key K, fence cacheaside.Fence, entry cacheaside.Entry[V], condition cacheaside.Condition,
) cacheaside.RecordOutcome {
	physicalKey, err := c.fencedKey(key)
	if err != nil {
		return notApplied(cacheaside.RecordNeverSent, err)
	}
	seen, err := parseObservation(condition.Observation)
	if err != nil {
		return notApplied(cacheaside.RecordNeverSent, err)
	}
	if length := len(entry.Revision); length > cacheaside.MaxRevisionBytes { // an absence is stored without it, and the fence record keeps it
		return notApplied(cacheaside.RecordEncodeFailed, &cacheaside.FieldError{
			Field: "Revision", Value: strconv.Itoa(length) + " bytes", Rule: "must be at most " + strconv.Itoa(cacheaside.MaxRevisionBytes) + " bytes",
		})
	}
	if c.store.breaker.isOpen() {
		return notApplied(cacheaside.RecordNeverSent, newStoreError(opFill, FaultBreakerOpen, ErrBreakerOpen))
	}
	call := limited(ctx, c.store.limits.record) // encoding and sealing included
	defer call.cancel()
	e, refused := c.seal(physicalKey, &entry)
	if refused.Certainty != cacheaside.RecordNone {
		return refused
	}
	return c.store.fill(&call, e, fence, seen, c.order(entry.Revision))
}

// order is what a script is told of a revision: whether it counts, and which it is.
func (c *Cache[K, V]) order(revision cacheaside.Revision) [2]any {
	return [2]any{flag(c.ordered), opaque(revision)}
}

func (s *store) fill(c *call, e *sealed, fence cacheaside.Fence, seen observed, order [2]any) cacheaside.RecordOutcome {
	goods := &shipment{raw: e.raw, hard: e.hard, clock: s.clock}
	keys := []string{e.key, sibling(e.key, kindGrant)}
	proof := []any{strconv.FormatUint(fence.Token, 10), opaque(fence.Request[:]), opaque(seen.digest), order[0], order[1]}
	if len(e.raw) <= stagedAbove {
		code, err := s.runScript(c, fillScript, keys, goods, append(proof, goods, lifeArg{goods}, seen.goneFlag())...)
		return s.settle(c, e, goods, verdict{op: opFill, code: code, err: err})
	}
	staging, refused := s.stage(c, e, goods)
	if refused.Certainty != cacheaside.RecordNone {
		return refused
	}
	swap := &shipment{hard: e.hard, clock: s.clock}
	code, err := s.runScript(c, swapScript, append(keys, staging), swap, append(proof, lifeOf{swap}, seen.goneFlag())...)
	return s.settle(c, e, swap, verdict{op: opFill, code: code, err: err})
}

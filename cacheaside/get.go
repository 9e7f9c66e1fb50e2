package cacheaside

import (
	"context"
	"hash/maphash"
)

// Get reads key through the region: from the cache if it is fresh there, else from the source through load, within every bound of the region's
// policy, and answers with a typed result. The error is nil exactly when the result's Value may be used. Errors: [*AbsentError], [*SourceError],
// [*EntryError], [*RejectedError], [*CancelledError], [*FieldError] for a bad argument, [ErrLoaderExited], [ErrNoOutcome], or the very error that
// an unclassified load gave. If the loader panicked, Get panics in the caller's own goroutine with a [*LoaderPanic].
//
// All loaders used with one key of a region compute the same value, since callers share it. A read that takes a transaction, a tenant or a user
// from its context must not be wrapped, unless these are part of the key. A shared value is read-only.
//
// A Get of the same region and key from inside its own running loader is refused at once ([ReasonReentrant]). Other keys are allowed there and
// bounded like any call: with all permits held by parents that wait for children, the children end at AdmissionWait.
func Get[K comparable, V any](ctx context.Context, region *Region[K, V], key K, load Loader[K, V]) (Result[V], error) {
	if err := checkCall(ctx, region, load != nil); err != nil {
		return Result[V]{Status: StatusFailed}, err
	}
	begun := region.begin()
	if ctx.Err() != nil {
		result, err := region.cancelled(ctx)
		return region.end(begun, sight{}, result, err)
	}
	if region.emptyKey(key) {
		return region.end(begun, sight{}, Result[V]{Status: StatusFailed}, badKeyError())
	}
	index := region.endings.index(maphash.Comparable(region.endings.seed, key))
	seen, earlier := region.endings.seen(index), region.endings.begun(index)
	found := region.lookup(ctx, key)
	seenAs := sight{found.Kind, found.Miss, found.Entry}
	next := decide(found.Kind, found.Entry, found.Observation != "", region.policy)
	switch next.action {
	case actionAnswer:
		return region.end(begun, seenAs, freshResult(found), nil)
	case actionAbsence:
		return region.end(begun, seenAs, Result[V]{Status: StatusNegativeHit, HardExpiresAt: found.HardExpiresAt}, region.absent("", true))
	case actionRefuse:
		return region.end(begun, seenAs, Result[V]{Status: StatusFailed}, &EntryError{Region: region.name, Kind: found.Entry})
	case actionLoad:
	}
	result, err := region.source(ctx, &call[K, V]{key: key, load: load, index: index, seen: seen, earlier: earlier, found: found, step: next})
	return region.end(begun, seenAs, result, err)
}

// source is the one bounded path to the source: every miss, stale value and outage goes through it.
func (r *Region[K, V]) source(ctx context.Context, c *call[K, V]) (Result[V], error) {
	if ctx.Err() != nil {
		return r.cancelled(ctx)
	}
	c.canonical = r.keyString(c.key)
	if badLength(len(c.canonical)) {
		return Result[V]{Status: StatusFailed}, badKeyError()
	}
	if c.chain = chainOf(ctx); c.chain.holds(r, c.canonical) {
		return r.answer(ctx, c, nil, r.refusal(r.rejected(ReasonReentrant, nil)), false)
	}
	c.values = r.valuesFor(ctx)
	patient := r.policy.ServeStale.RefreshWait != DontWait || !r.answerable(c)
	for {
		f, as, refused := r.join(c, patient)
		if refused != nil {
			return r.answer(ctx, c, nil, r.refusal(refused), false)
		}
		if as == roleLeader {
			r.launch(f)
		}
		if patient {
			return r.await(ctx, c, f, as)
		}
		if result, ok := r.stale(ctx, c, f, r.rejected(ReasonRefreshPending, nil)); ok {
			return result, nil
		}
		// The value ran out, or was invalidated, in this very moment, so this caller waits like one that has none: for its own flight as its leader.
		patient = true
		if as == roleLeader && r.lead(f) {
			return r.await(ctx, c, f, as)
		}
	}
}

// valuesFor gives the values that the load may see. It runs in the caller's goroutine, before there is a flight: what the hook throws is the
// caller's own, and a context that its owner uses again later is not asked for anything by the library itself.
func (r *Region[K, V]) valuesFor(caller context.Context) context.Context {
	values := caller
	if r.loadContext != nil {
		if values = r.loadContext(caller); values == nil {
			values = context.Background()
		}
	}
	return context.WithoutCancel(values)
}

func freshResult[V any](found Lookup[V]) Result[V] {
	return Result[V]{
		Value: found.Value, Status: StatusFresh, Revision: found.Revision, SoftExpiresAt: found.SoftExpiresAt, HardExpiresAt: found.HardExpiresAt,
	}
}

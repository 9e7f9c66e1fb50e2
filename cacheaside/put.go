package cacheaside

import (
	"context"
	"hash/maphash"
)

// Putter is the optional side of a [Fencer] whose revisions are ordered: it stores what has just been written to the source, and refuses what is older
// than anything that it knows of the key.
//
// The order is that of the revisions' bytes; of two of which one begins with the other, the shorter is the older. Numbers must therefore be padded
// to one width. An empty revision is older than every other.
type Putter[K comparable, V any] interface {
	// OrderedRevisions tells whether this cache was built for it. Then [Fencer.Fill] too refuses an older revision than is known, as
	// [RecordOlderRevision].
	OrderedRevisions() bool

	// Put stores entry in one atomic step and issues a token, as an invalidation does, unless a greater revision is known: [RecordOlderRevision].
	Put(ctx context.Context, key K, entry Entry[V]) RecordOutcome
}

// CanPut tells whether the region's cache takes [Put].
func (r *Region[K, V]) CanPut() bool { return r != nil && r.putter() != nil }

func (r *Region[K, V]) putter() Putter[K, V] {
	if r.fencer == nil {
		return nil
	}
	if putter, ok := r.cache.(Putter[K, V]); ok && putter.OrderedRevisions() {
		return putter
	}
	return nil
}

// Put stores what has just been written to the source under its revision: an [Invalidate] that leaves the new value behind, so that the next read
// is a hit. It is offered under [Fleet] with ordered revisions only, where the later of two writers wins whichever comes last. A value that a later
// revision has overtaken is not stored, which is no error: [RecordOlderRevision] is nil here, since what is stored is newer still.
//
// Put every change of a region, or none: a put that comes late is kept out by the order of revisions alone, which an [Invalidate] or [InvalidateRegion] of
// another writer knows nothing of.
//
// nil means that nothing older than value is served any more. Errors: [*InvalidateError], indeterminate included, after which the same put is due again;
// [*CancelledError] if ctx was done before anything was sent; [ErrCannotPut]; [*FieldError].
func Put[K comparable, V any](ctx context.Context, region *Region[K, V], key K, value V, revision Revision) error {
	if err := checkCall(ctx, region, true); err != nil {
		return err
	}
	putter := region.putter()
	switch {
	case putter == nil:
		return ErrCannotPut
	case region.emptyKey(key):
		return badKeyError()
	case revision == "":
		return &FieldError{Field: "revision", Rule: "must be set: it says which of two values is the newer"}
	}
	canonical := region.keyString(key)
	if badLength(len(canonical)) {
		return badKeyError()
	}
	begun := region.begin()
	index := region.endings.index(maphash.Comparable(region.endings.seed, key))
	region.supersede(canonical, index)
	if ctx.Err() != nil {
		return newCancelledError(region.name, ctx.Err(), context.Cause(ctx))
	}
	outcome := region.put(ctx, putter, key, Entry[V]{Value: value, Revision: revision})
	// Whoever looked between the first mark and the value saw the old entry still.
	region.endings.invalidated(index)
	if outcome.Certainty == RecordNotApplied && outcome.Reason == RecordOlderRevision {
		outcome = RecordOutcome{Certainty: RecordApplied, Reason: RecordOlderRevision}
	}
	return region.endInvalidate(begun, outcome)
}

func (r *Region[K, V]) put(ctx context.Context, putter Putter[K, V], key K, entry Entry[V]) (outcome RecordOutcome) {
	defer func() {
		if thrown := recover(); thrown != nil {
			outcome = RecordOutcome{Certainty: RecordIndeterminate, Err: ErrCachePanicked}
		}
	}()
	return putter.Put(ctx, key, entry)
}

package cacheaside

import "context"

// Generation names a generation of a region's entries. Later ones are greater. 0 means that it is not known, or that the cache has none.
type Generation uint64

// RegionInvalidator is the optional side of a [Cache] that can give up all entries of a region at once, by beginning a new generation: entries of
// older ones read as expired, and a record whose [Entry.Generation] is older is not read as fresh by anybody who knows of the new one.
type RegionInvalidator interface {
	// Generations tells whether this cache was built with generations.
	Generations() bool

	// InvalidateRegion begins a new generation in one atomic step.
	InvalidateRegion(ctx context.Context) RecordOutcome
}

// CanInvalidateRegion tells whether the region's cache has generations.
func (r *Region[K, V]) CanInvalidateRegion() bool { return r != nil && r.generations != nil }

// generationsOf gives the cache's generations, nil where it has none.
func generationsOf[K comparable, V any](cache Cache[K, V]) RegionInvalidator {
	if invalidator, ok := cache.(RegionInvalidator); ok && invalidator.Generations() {
		return invalidator
	}
	return nil
}

// InvalidateRegion makes sure that nothing of the region that was loaded before it is served after it: [Invalidate] for all keys at once. Write the
// source first. In this process it holds when it returns; another process goes on with the generation that it knows for as long as its cache lets it
// (the cache says how long), and holds to it from then on. Loads that are running are answered to those who wait for them already, and what they
// bring is not read as fresh.
//
// It costs the source a load for every key that is asked for afterwards, within the region's bounds; values of before do not answer as stale.
//
// nil means applied. Errors: [*InvalidateError], indeterminate included; [*CancelledError] if ctx was done before anything was sent;
// [ErrCannotInvalidateRegion]; [*FieldError].
func InvalidateRegion[K comparable, V any](ctx context.Context, region *Region[K, V]) error {
	if err := checkCall(ctx, region, true); err != nil {
		return err
	}
	if region.generations == nil {
		return ErrCannotInvalidateRegion
	}
	begun := region.begin()
	region.supersedeAll()
	if ctx.Err() != nil {
		return newCancelledError(region.name, ctx.Err(), context.Cause(ctx))
	}
	outcome := region.beginGeneration(ctx)
	// Whoever looked between the first mark and the new generation saw the old entry still, and a load that began then may have read the old row.
	region.supersedeAll()
	return region.endInvalidate(begun, outcome)
}

func (r *Region[K, V]) beginGeneration(ctx context.Context) (outcome RecordOutcome) {
	defer func() {
		if thrown := recover(); thrown != nil {
			outcome = RecordOutcome{Certainty: RecordIndeterminate, Err: ErrCachePanicked}
		}
	}()
	return r.generations.InvalidateRegion(ctx)
}

// supersedeAll marks every load of the region, so that none of them is recorded or joined any more.
func (r *Region[K, V]) supersedeAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.state.flights {
		r.detachLocked(f)
	}
	for _, group := range r.state.detached {
		for f := range group.flights {
			f.superseded = true
			r.giveUpLocked(f)
		}
	}
	for canonical := range r.state.failures {
		r.forgetFailureLocked(canonical)
	}
	r.endings.allInvalidated()
}

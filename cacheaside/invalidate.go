package cacheaside

import (
	"context"
	"hash/maphash"
	"time"
)

// Invalidate makes sure that what was loaded before it is not served after it. Write the source first, then invalidate. It marks the key's running
// load and every overdue one superseded: callers that wait for them already still get their outcome, nothing of it is recorded, and later callers
// start a new load. Then it writes a tombstone over the entry in one step, which refuses every fill that began before it, in any process.
//
// nil means applied. Errors: [*InvalidateError], indeterminate included; [*CancelledError] if ctx was done before anything was sent;
// [ErrCannotInvalidate]; [*FieldError].
//
// The promise holds across processes as long as entries and tombstones outlive the loads that began before them (MinHard and TombstoneTTL above
// LookupTimeout + AdmissionWait + 2 LoadDeadline + RecordTimeout; [NewRegion] warns through the observer where that is not so) and the store evicts
// nothing in that window. A process learns of an invalidation made in another by the tombstone: a call whose lookup fails, or finds that the
// tombstone has been replaced by a value that is stale again already or by an entry without an observation, may still join a load of this process
// that began before the invalidation.
func Invalidate[K comparable, V any](ctx context.Context, region *Region[K, V], key K) error {
	if err := checkCall(ctx, region, true); err != nil {
		return err
	}
	if region.invalidator == nil {
		return ErrCannotInvalidate
	}
	if region.emptyKey(key) {
		return badKeyError()
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
	outcome := region.tombstone(ctx, key)
	// Whoever looked between the first mark and the tombstone saw the old entry still.
	region.endings.invalidated(index)
	return region.endInvalidate(begun, outcome)
}

func (r *Region[K, V]) endInvalidate(begun time.Time, outcome RecordOutcome) error {
	if r.observer != nil {
		r.emit(Event{
			Kind: EventInvalidate, Certainty: outcome.Certainty, RecordReason: outcome.Reason, Duration: r.clock.Since(begun),
		})
	}
	if outcome.Certainty == RecordApplied {
		return nil
	}
	return &InvalidateError{Region: r.name, Certainty: outcome.Certainty, Reason: outcome.Reason, Cause: outcome.Err}
}

// overtakenLocked tells whether the caller must not join f, since another process has invalidated the key after the load of f began and before this
// call did. Such a flight is superseded, as if the invalidation had been made here. A load that is yet to begin will be new enough, and records over
// what the caller saw; but a second lookup that is on may be older than that.
func (r *Region[K, V]) overtakenLocked(f *flight[K, V], c *call[K, V]) bool {
	if !c.overtakes(f.number, f.condition, f.generation) {
		return false
	}
	if !f.started {
		f.step, f.condition, f.overtaken = c.step, conditionFor(c.step, c.found.Observation), f.looking
		f.generation = c.found.Generation
		return false
	}
	r.detachLocked(f)
	f.superseded = true
	r.giveUpLocked(f)
	return true
}

// overtakesFailureLocked tells whether a failure is from before an invalidation that another process made before this call, and forgets it then.
func (r *Region[K, V]) overtakesFailureLocked(remembered *failure, c *call[K, V]) bool {
	if !c.overtakes(remembered.number, remembered.condition, remembered.generation) {
		return false
	}
	r.forgetFailureLocked(c.canonical)
	return true
}

// overtakes tells whether the caller saw what a flight or load of the given number, condition and generation did not see: a newer generation, a
// tombstone, or an entry that this process cannot use and that may have replaced one. Whatever began after the call did is new enough whatever it
// saw, so that callers who saw different tombstones do not supersede one another's flights in turn.
func (c *call[K, V]) overtakes(number uint64, condition Condition, generation Generation) bool {
	if number > c.earlier {
		return false
	}
	if c.found.Generation > generation {
		return true
	}
	marked := c.found.Kind == LookupMiss && c.found.Miss == MissInvalidated || c.found.Kind == LookupUnusable && c.found.Observation != ""
	return marked && c.found.Observation != condition.Observation
}

// supersede marks every load of the key, so that none of them is recorded or joined any more.
func (r *Region[K, V]) supersede(canonical string, index int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.state.flights[canonical]; f != nil {
		r.detachLocked(f)
	}
	if group := r.state.detached[canonical]; group != nil {
		for f := range group.flights {
			f.superseded = true
			r.giveUpLocked(f)
		}
	}
	r.forgetFailureLocked(canonical) // it belongs to a load from before, and the source has just been written
	r.endings.invalidated(index)
}

package cacheaside

import (
	"context"
	"errors"
	"time"
)

// ErrCachePanicked is the Err of a [RecordOutcome], and in the chain of an [InvalidateError], whose cache panicked. A lookup that panics is a lookup
// of an unavailable cache.
var ErrCachePanicked = errors.New("cacheaside: cache panicked")

// lookup asks the cache, and survives it.
func (r *Region[K, V]) lookup(ctx context.Context, key K) (found Lookup[V]) {
	defer func() {
		if thrown := recover(); thrown != nil {
			found = Lookup[V]{Kind: LookupUnavailable, Err: ErrCachePanicked}
		}
	}()
	found = r.cache.Lookup(ctx, key)
	if r.generations == nil {
		found.Generation = 0 // it means something only where generations can begin
	}
	return found
}

// record asks the cache to record, once, on the library's own context: no caller's cancellation reaches a write.
func (r *Region[K, V]) record(f *flight[K, V], entry Entry[V]) (outcome RecordOutcome, took time.Duration) {
	begun := r.clock.Now()
	defer func() {
		if thrown := recover(); thrown != nil {
			outcome = RecordOutcome{Certainty: RecordIndeterminate, Err: ErrCachePanicked}
		}
		// A record may end after its flight, and whoever looked before it had better look again.
		r.endings.flightEnded(f.index)
		took = r.clock.Since(begun)
	}()
	if r.fencer != nil {
		return r.fill(f, entry), 0
	}
	return r.cache.Record(f.values, f.key, entry, f.condition), 0
}

// fill records under the flight's fence. What was observed is asked for on top only where bytes that the fence knows nothing of are to be replaced.
// An accepted fill has ended the grant. One that is refused may not have: what is of an older generation is refused before the fence is asked.
func (r *Region[K, V]) fill(f *flight[K, V], entry Entry[V]) RecordOutcome {
	var condition Condition
	if f.step.quarantine {
		condition = f.condition
	}
	outcome := r.fencer.Fill(f.values, f.key, f.fence, entry, condition)
	if outcome.Certainty == RecordApplied {
		r.mu.Lock()
		f.owing = false
		r.mu.Unlock()
	}
	return outcome
}

// tellRecord tells the observer of a record, after whoever waited for it has been let go. late says that nobody waited.
func (r *Region[K, V]) tellRecord(outcome RecordOutcome, took time.Duration, late bool) {
	if r.observer != nil {
		r.emit(Event{Kind: EventRecord, Certainty: outcome.Certainty, RecordReason: outcome.Reason, Late: late, Duration: took})
	}
}

// tombstone asks the cache to invalidate, and survives it.
func (r *Region[K, V]) tombstone(ctx context.Context, key K) (outcome RecordOutcome) {
	defer func() {
		if thrown := recover(); thrown != nil {
			outcome = RecordOutcome{Certainty: RecordIndeterminate, Err: ErrCachePanicked}
		}
	}()
	return r.invalidator.Invalidate(ctx, key)
}

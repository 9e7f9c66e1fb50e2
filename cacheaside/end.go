package cacheaside

import "time"

// sight is what of a lookup an event tells.
type sight struct {
	kind  LookupKind
	miss  MissReason
	entry EntryKind
}

// thrownPanic is a loader's panic on its way to the caller's own goroutine. It is a type of its own, since a source may well answer with a
// *LoaderPanic that it caught somewhere else, and that one is an error like any other.
type thrownPanic struct{ *LoaderPanic }

// begin notes the time where somebody wants to know it.
func (r *Region[K, V]) begin() (begun time.Time) {
	if r.observer != nil {
		begun = r.clock.Now()
	}
	return begun
}

// end counts and tells how a Get ended, and is where a loader's panic comes out.
func (r *Region[K, V]) end(begun time.Time, seen sight, result Result[V], err error) (Result[V], error) {
	reason := reasonOf(result.Status, result.Cause, err)
	r.counts.byStatus[result.Status].Add(1)
	if reason != 0 {
		r.counts.byReason[reason].Add(1)
	}
	if r.observer != nil {
		r.emit(Event{
			Kind: EventGet, Status: result.Status, Reason: reason, Lookup: seen.kind, Miss: seen.miss, Entry: seen.entry,
			Certainty: result.Record.Certainty, RecordReason: result.Record.Reason, Shared: result.Shared, Duration: r.clock.Since(begun),
		})
	}
	if thrown, ok := err.(*thrownPanic); ok { //nolint:errorlint // made by answer, never wrapped
		panic(thrown.LoaderPanic)
	}
	return result, err
}

func reasonOf(status Status, cause, err error) Reason {
	switch status {
	case StatusStale:
		err = cause
	case StatusRejected:
	case StatusFresh, StatusLoaded, StatusAbsent, StatusNegativeHit, StatusFailed, StatusCancelled:
		return 0
	}
	if rejected, ok := err.(*RejectedError); ok { //nolint:errorlint // made here, never wrapped
		return rejected.Reason
	}
	return 0
}

package cacheaside

import "time"

// ending is how a flight ended, the same for all its callers. Its value and its errors are shared and read-only.
type ending[V any] struct {
	status   Status
	value    V
	revision Revision
	soft     time.Time
	hard     time.Time
	record   RecordOutcome
	err      error
	panicked *LoaderPanic
	excuse   excuse // what kind of trouble a stale value would answer for
	remember bool   // a transient failure, to be remembered
}

// recordable tells whether the ending is one of the two that are ever written.
func (e *ending[V]) recordable() bool { return e.status == StatusLoaded || e.status == StatusAbsent }

// interpret turns a loader's outcome into an ending. late says that the outcome came at or after the load deadline, or after the library ended the
// load for the given reason.
func (r *Region[K, V]) interpret(outcome SourceOutcome[V], reason Reason, late bool) ending[V] {
	if late && (outcome.kind == outcomeUnclassified || outcome.kind == outcomeCancelled) {
		// What comes back from a load that the library ended is the echo of that ending: a driver's timeout and the deadline race by a hair, and
		// whichever wins must not change the status.
		return r.refusal(r.rejected(reason, outcome.err))
	}
	switch outcome.kind {
	case outcomeLoaded:
		return ending[V]{status: StatusLoaded, value: outcome.value, revision: outcome.revision}
	case outcomeAbsent:
		return ending[V]{status: StatusAbsent, revision: outcome.revision, err: r.absent(outcome.code, false)}
	case outcomeTransient:
		err := &SourceError{Region: r.name, Transient: true, Code: outcome.code, Cause: outcome.err}
		return ending[V]{status: StatusFailed, err: err, excuse: excuseTransient, remember: true}
	case outcomePermanent:
		return ending[V]{status: StatusFailed, err: &SourceError{Region: r.name, Code: outcome.code, Cause: outcome.err}}
	case outcomeCancelled:
		return ending[V]{status: StatusCancelled, err: newCancelledError(r.name, outcome.err, outcome.err)}
	case outcomeUnclassified, outcomeExited:
		return ending[V]{status: StatusFailed, err: outcome.err}
	case outcomePanicked:
		panicked, _ := outcome.err.(*LoaderPanic) //nolint:errorlint // made by callLoader
		return ending[V]{status: StatusFailed, err: panicked, panicked: panicked}
	case outcomeNone:
	}
	return ending[V]{status: StatusFailed, err: ErrNoOutcome}
}

func (r *Region[K, V]) refusal(err *RejectedError) ending[V] {
	return ending[V]{status: StatusRejected, err: err, excuse: excuseOf(err.Reason)}
}

func (r *Region[K, V]) rejected(reason Reason, cause error) *RejectedError {
	return &RejectedError{Region: r.name, Reason: reason, Cause: cause}
}

func (r *Region[K, V]) absent(reason string, cached bool) *AbsentError {
	return &AbsentError{Region: r.name, Reason: reason, Cached: cached, also: r.absentErr}
}

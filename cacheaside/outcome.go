package cacheaside

import "context"

// Revision is the source's own opaque mark of a value's version, at most 128 bytes. The empty revision means that the source has none. The
// library stores it beside the value and hands it back; it never orders revisions.
type Revision string

// MaxRevisionBytes is the largest length of a [Revision]; a value with a longer one is answered but not recorded.
const MaxRevisionBytes = 128

// Loader is the call to the source. It runs on the library's own context, which ends at [Policy.LoadDeadline], or when the loader has returned, and
// not with any one caller. The loader should end when that context does. It must not keep using the context's values of one caller as if they were
// every caller's: all loaders used with one key of a region compute the same value, since callers share it.
type Loader[K comparable, V any] func(ctx context.Context, key K) SourceOutcome[V]

// SourceOutcome is the typed answer of a [Loader]. Make one with [Loaded], [AuthoritativeAbsent], [TransientFailure], [PermanentFailure],
// [Cancelled] or [Unclassified]; the zero value is reported as [ErrNoOutcome].
type SourceOutcome[V any] struct {
	kind     outcomeKind
	value    V
	revision Revision
	code     string // of a failure, or the reason of an absence; already normalized
	err      error
}

type outcomeKind uint8

const (
	outcomeNone outcomeKind = iota
	outcomeLoaded
	outcomeAbsent
	outcomeTransient
	outcomePermanent
	outcomeCancelled
	outcomeUnclassified
	outcomePanicked
	outcomeExited
)

// Loaded says that the source has the value. A nil pointer is a legal value.
func Loaded[V any](value V, revision Revision) SourceOutcome[V] {
	return SourceOutcome[V]{kind: outcomeLoaded, value: value, revision: revision}
}

// AuthoritativeAbsent says that the source answered and has no such value. It is the only outcome that is recorded as negative. A reason outside
// [a-z0-9_.-]{1,64} becomes "invalid".
func AuthoritativeAbsent[V any](reason string, revision Revision) SourceOutcome[V] {
	return SourceOutcome[V]{kind: outcomeAbsent, code: normalizeCode(reason), revision: revision}
}

// TransientFailure says that the source failed in a way that may pass. It is the one failure that a stale value answers for by default. A code
// outside [a-z0-9_.-]{1,64} becomes "invalid".
func TransientFailure[V any](code string, cause error) SourceOutcome[V] {
	return SourceOutcome[V]{kind: outcomeTransient, code: normalizeCode(code), err: cause}
}

// PermanentFailure says that the source refused for good: never stale, never negative, nothing written. A code outside [a-z0-9_.-]{1,64} becomes
// "invalid".
func PermanentFailure[V any](code string, cause error) SourceOutcome[V] {
	return SourceOutcome[V]{kind: outcomePermanent, code: normalizeCode(code), err: cause}
}

// Cancelled says that the load was given up before it had an answer. A nil cause stands for [context.Canceled].
func Cancelled[V any](cause error) SourceOutcome[V] {
	if cause == nil {
		cause = context.Canceled
	}
	return SourceOutcome[V]{kind: outcomeCancelled, err: cause}
}

// Unclassified carries an error that nobody has classified: never cached, never stale, handed to every caller as it is. A nil error is no outcome
// and is reported as [ErrNoOutcome].
func Unclassified[V any](err error) SourceOutcome[V] {
	if err == nil {
		return SourceOutcome[V]{}
	}
	return SourceOutcome[V]{kind: outcomeUnclassified, err: err}
}

package cacheaside

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// What a caller branches on. The typed errors below match them through [errors.Is].
var (
	// ErrAbsent is matched by every [AbsentError]: the source has no such value.
	ErrAbsent = errors.New("cacheaside: absent")

	// ErrRejected is matched by every [RejectedError]: a bound of the library refused, and the source was not asked, or not to the end.
	ErrRejected = errors.New("cacheaside: rejected")

	// ErrIncompatibleSchema is matched by an [EntryError] of kind Retired, Payload or Future.
	ErrIncompatibleSchema = errors.New("cacheaside: incompatible entry")

	// ErrCorruptEntry is matched by an [EntryError] of kind Corrupt, Oversize or Foreign.
	ErrCorruptEntry = errors.New("cacheaside: corrupt entry")

	// ErrLoaderExited is returned when the loader ended its goroutine with [runtime.Goexit], as testing.T.FailNow does.
	ErrLoaderExited = errors.New("cacheaside: loader exited its goroutine")

	// ErrCacheExited is returned when the cache ended a goroutine of the library's with [runtime.Goexit] before the source was asked.
	ErrCacheExited = errors.New("cacheaside: cache exited a goroutine")

	// ErrNoOutcome is returned when the loader gave the zero [SourceOutcome].
	ErrNoOutcome = errors.New("cacheaside: loader gave no outcome")

	// ErrNilValue is the unclassified failure of a [Classify] read that returned a nil pointer, map, slice or interface with a nil error, where no
	// AbsentValue rule says what that means.
	ErrNilValue = errors.New("cacheaside: read returned a nil value and no error")

	// ErrCannotInvalidate is returned by [Invalidate] on a region whose cache is no [Invalidator].
	ErrCannotInvalidate = errors.New("cacheaside: cache cannot invalidate")

	// ErrCannotPut is returned by [Put] on a region that is not [Fleet] or whose cache is no [Putter] of ordered revisions.
	ErrCannotPut = errors.New("cacheaside: cache has no ordered revisions")

	// ErrCannotInvalidateRegion is returned by [InvalidateRegion] on a region whose cache has no generations.
	ErrCannotInvalidateRegion = errors.New("cacheaside: cache has no generations")
)

// FieldError names one fault of a configuration or an argument: the field, the value seen and the rule it breaks. The value of a key, payload or
// secret is never part of it.
type FieldError struct{ Field, Value, Rule string }

func (e *FieldError) Error() string {
	if e.Value == "" {
		return fmt.Sprintf("cacheaside: %s %s", e.Field, e.Rule)
	}
	return fmt.Sprintf("cacheaside: %s is %s, %s", e.Field, e.Value, e.Rule)
}

// AbsentError says that the source has no such value, as told now or, when Cached, by a recorded absence. The region's AbsentErr is in its chain.
type AbsentError struct {
	Region string
	Reason string // "" when Cached: an entry stores only its expiry
	Cached bool

	also error
}

func (e *AbsentError) Error() string {
	how := "absent at the source"
	if e.Cached {
		how = "absent by a cached answer"
	}
	if e.Reason == "" {
		return fmt.Sprintf("cacheaside: region %s: %s", e.Region, how)
	}
	return fmt.Sprintf("cacheaside: region %s: %s (%s)", e.Region, how, e.Reason)
}

// Unwrap gives [ErrAbsent] and the region's AbsentErr.
func (e *AbsentError) Unwrap() []error {
	if e.also == nil {
		return []error{ErrAbsent}
	}
	return []error{ErrAbsent, e.also}
}

// SourceError is a classified failure of the source. Its text never holds the cause's text; the cause is in its chain.
type SourceError struct {
	Region    string
	Transient bool
	Code      string
	Cause     error
}

func (e *SourceError) Error() string {
	kind := "permanent"
	if e.Transient {
		kind = "transient"
	}
	return fmt.Sprintf("cacheaside: region %s: %s source failure (%s)", e.Region, kind, e.Code)
}

// Unwrap gives the cause.
func (e *SourceError) Unwrap() error { return e.Cause }

// EntryError says that a stored entry must not be believed and that the policy answers for it by failing: the source was not called and the
// entry not overwritten.
type EntryError struct {
	Region string
	Kind   EntryKind
}

func (e *EntryError) Error() string {
	return fmt.Sprintf("cacheaside: region %s: stored entry is unusable (%s)", e.Region, strings.ToLower(e.Kind.String()))
}

// Unwrap gives [ErrIncompatibleSchema] or [ErrCorruptEntry].
func (e *EntryError) Unwrap() error {
	switch e.Kind {
	case EntryRetired, EntryPayload, EntryFuture:
		return ErrIncompatibleSchema
	case EntryCorrupt, EntryOversize, EntryForeign:
		return ErrCorruptEntry
	}
	return nil
}

// RejectedError says which bound refused. Cause, where there is one, is what the bound was reached with: the loader's late error, or the
// remembered failure.
type RejectedError struct {
	Region string
	Reason Reason
	Cause  error
}

func (e *RejectedError) Error() string {
	return fmt.Sprintf("cacheaside: region %s: rejected (%s)", e.Region, e.Reason)
}

// Unwrap gives [ErrRejected] and the cause.
func (e *RejectedError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrRejected}
	}
	return []error{ErrRejected, e.Cause}
}

// LoaderPanic is what every waiting caller's own goroutine panics with when the loader panicked. It is an error and unwraps to Value if that is
// one. Its text names the type of the value, never the value.
type LoaderPanic struct {
	Value any
	Stack []byte
}

func (e *LoaderPanic) Error() string {
	return fmt.Sprintf("cacheaside: loader panicked with a %T", e.Value)
}

// Unwrap gives the panic's value if it is an error.
func (e *LoaderPanic) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// CancelledError says that the caller's context ended before there was an answer, or that the loader gave the load up. [context.Canceled] or
// [context.DeadlineExceeded] and the context's cause are in its chain.
type CancelledError struct {
	Region string

	err   error // context.Canceled or context.DeadlineExceeded
	cause error
}

func newCancelledError(region string, err, cause error) *CancelledError {
	if !errors.Is(err, context.DeadlineExceeded) {
		err = context.Canceled
	}
	return &CancelledError{Region: region, err: err, cause: cause}
}

func (e *CancelledError) Error() string {
	if errors.Is(e.err, context.DeadlineExceeded) {
		return fmt.Sprintf("cacheaside: region %s: deadline exceeded", e.Region)
	}
	return fmt.Sprintf("cacheaside: region %s: cancelled", e.Region)
}

// Unwrap gives the context's error and its cause.
func (e *CancelledError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.err}
	}
	return []error{e.err, e.cause}
}

// InvalidateError says that an invalidation was not applied, or may not have been. The caller's context error, where that is why, is in its
// chain.
type InvalidateError struct {
	Region    string
	Certainty Certainty
	Reason    RecordReason
	Cause     error
}

func (e *InvalidateError) Error() string {
	return fmt.Sprintf("cacheaside: region %s: invalidation %s (%s)", e.Region, e.Certainty, e.Reason)
}

// Unwrap gives the cause.
func (e *InvalidateError) Unwrap() error { return e.Cause }

package cacheaside

import (
	"context"
	"time"
)

// Cache is the port a [Region] reads and fills. The cache decides what a lookup is: it owns keys, bytes, expiry arithmetic and the clock that
// tells fresh from stale from expired; the policy only decides what happens next.
//
// An implementation is safe for concurrent use, ends every call within a time limit of its own whatever the context says, never deletes on a
// read, writes an entry and its expiry in one atomic step, and never calls back into the region. The package cachetest holds the suite that
// every implementation must pass.
type Cache[K comparable, V any] interface {
	// Lookup tells what is stored for key. It never fails: what cannot be read is [LookupUnavailable] or [LookupUnusable].
	Lookup(ctx context.Context, key K) Lookup[V]

	// Record stores entry under condition, once, and tells how certain the effect is. It never retries.
	Record(ctx context.Context, key K, entry Entry[V], condition Condition) RecordOutcome
}

// Invalidator is the optional side of a [Cache] that can write a tombstone: a mark that reads as a miss ([MissInvalidated]) with an observation
// and that refuses every fill which began before it. [Region.CanInvalidate] tells whether a region's cache has it.
type Invalidator[K comparable] interface {
	// Invalidate replaces whatever is stored for key by a tombstone in one atomic step.
	Invalidate(ctx context.Context, key K) RecordOutcome
}

// Lifetimes is what a cache may tell about its own durations, so that [NewRegion] can warn where an entry or a tombstone could be gone before a
// load that began earlier has ended. A zero field is unknown and is not judged.
type Lifetimes struct {
	MinHard   time.Duration // the shortest life of an entry
	Tombstone time.Duration // the life of a tombstone
	Lookup    time.Duration // the time limit of a lookup
	Record    time.Duration // the time limit of a record
}

// LifetimeReporter is an optional side of a [Cache]; see [Lifetimes].
type LifetimeReporter interface{ Lifetimes() Lifetimes }

// Observation is what a lookup saw, opaque to the policy, which hands it back in a [Condition]. An implementation may put anything into it. The
// empty observation means that nothing was observed.
type Observation string

// Lookup is what a [Cache] tells about one key. Fields that the kind does not name are zero.
type Lookup[V any] struct {
	Kind LookupKind

	// Miss tells why there is nothing, for [LookupMiss].
	Miss MissReason

	// Entry tells what is wrong with the stored entry, for [LookupUnusable].
	Entry EntryKind

	// Value and Revision are set for [LookupFresh] and [LookupStale].
	Value    V
	Revision Revision

	// SoftExpiresAt and HardExpiresAt are set where known; HardExpiresAt is required for [LookupStale]: a stale value without it is never
	// answered.
	SoftExpiresAt, HardExpiresAt time.Time

	// Observation identifies the very entry that was seen. An expired entry's and a tombstone's are also satisfied by an entry that is gone.
	Observation Observation

	// Generation is the region's generation by which the cache judged, for a cache that has generations; 0 where it is not known.
	Generation Generation

	// Err tells why, for [LookupUnavailable]. It holds no key, payload or secret.
	Err error
}

// Entry is what is to be stored.
type Entry[V any] struct {
	// Negative records the authoritative absence of the value; Value is ignored.
	Negative bool
	Value    V
	Revision Revision

	// LoadedAt is the moment the expiries count from. The zero value means the moment of the record. It is set for a late result only, whose
	// expiries count from the end of its load deadline.
	LoadedAt time.Time

	// Generation is that of the lookup which the load was made for. A cache that has generations stores the entry as of that one, or refuses it as
	// [RecordSuperseded] where it knows of a newer.
	Generation Generation
}

// Condition says under which condition an entry may be stored. The zero value means: only if the key is absent. With an observation: only if
// what is stored is still what was observed.
type Condition struct{ Observation Observation }

// RecordOutcome tells what became of a record. The zero value ([RecordNone]) means that none was made.
type RecordOutcome struct {
	Certainty Certainty

	// Reason refines [RecordNotApplied] and [RecordIndeterminate].
	Reason RecordReason

	// SoftExpiresAt and HardExpiresAt are those of the entry, where it was applied or may have been. A negative entry has no soft expiry.
	SoftExpiresAt, HardExpiresAt time.Time

	// Err tells why, where there is more to tell. It holds no key, payload or secret; a context's error stays visible to [errors.Is].
	Err error
}

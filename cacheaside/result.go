package cacheaside

import "time"

// Status is how a [Get] ended.
type Status uint8

// The statuses of a [Result]. The zero value is none of them.
const (
	StatusFresh       Status = iota + 1 // the cache had it, before its soft expiry
	StatusLoaded                        // the source gave it
	StatusStale                         // the cache had it past its soft expiry; Cause tells what it answers for
	StatusAbsent                        // the source says there is none
	StatusNegativeHit                   // the cache says the source had none
	StatusFailed                        // the source, or a stored entry, failed
	StatusRejected                      // a bound of the library refused
	StatusCancelled                     // the caller's context ended
)

// String returns the constant's name without its prefix.
func (s Status) String() string { return name(statusNames[:], int(s)) }

var statusNames = [...]string{"Fresh", "Loaded", "Stale", "Absent", "NegativeHit", "Failed", "Rejected", "Cancelled"}

// Result is what a [Get] gives. The error beside it is nil exactly when Value may be used: StatusFresh, StatusLoaded and StatusStale. With an
// error, Value is the zero value. A Value that was loaded is read-only unless [RegionConfig.Clone] is set, whatever Shared says: other callers may
// have the same one, and its record may still be reading it. So is a Value out of an in-process cache, in any case.
type Result[V any] struct {
	Value    V
	Status   Status
	Revision Revision

	// Record tells what became of the record of a load. It is [RecordNone] where none was made, or none before the caller was answered: where the cache
	// could not be asked, callers do not wait for the record.
	Record RecordOutcome

	// Cause is what a stale value answers for: a *SourceError or a *RejectedError.
	Cause error

	// SoftExpiresAt and HardExpiresAt are set where known: from the lookup, or from the record.
	SoftExpiresAt, HardExpiresAt time.Time

	// Shared tells that the outcome came from a load that another caller started.
	Shared bool
}

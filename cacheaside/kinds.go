package cacheaside

// The enumerations of the port. Each starts at 1, so that a forgotten field is none of them, but for [RecordNone] and the absent reason, which
// are meaningful zero values.

// LookupKind is what a lookup found.
type LookupKind uint8

// The kinds of lookup.
const (
	LookupFresh       LookupKind = iota + 1 // a value before its soft expiry
	LookupStale                             // a value between its soft and its hard expiry
	LookupNegative                          // a recorded absence before its expiry
	LookupMiss                              // nothing that could be answered; see MissReason
	LookupUnusable                          // an entry that must not be believed; see EntryKind
	LookupUnavailable                       // the store could not be asked
)

// String returns the constant's name without its prefix.
func (k LookupKind) String() string {
	return name(lookupKindNames[:], int(k))
}

// MissReason tells why a lookup is a miss.
type MissReason uint8

// The reasons for a miss.
const (
	MissAbsent      MissReason = iota + 1 // no entry
	MissExpired                           // an entry past its hard expiry is still there
	MissInvalidated                       // a tombstone
)

// String returns the constant's name without its prefix.
func (m MissReason) String() string {
	return name(missReasonNames[:], int(m))
}

// EntryKind tells what is wrong with an unusable entry.
type EntryKind uint8

// The kinds of unusable entry.
const (
	EntryRetired  EntryKind = iota + 1 // a format version that is no longer read
	EntryPayload                       // a payload of another shape
	EntryFuture                        // a format version that this library does not know
	EntryCorrupt                       // bytes whose digest or structure is wrong
	EntryOversize                      // more bytes than the cache may read
	EntryForeign                       // a value of another type, written by somebody else
)

// String returns the constant's name without its prefix.
func (k EntryKind) String() string {
	return name(entryKindNames[:], int(k))
}

// Certainty tells how certain the effect of a record is.
type Certainty uint8

// The certainties of a record.
const (
	RecordNone          Certainty = iota // no record was made
	RecordApplied                        // it was stored
	RecordNotApplied                     // it was certainly not stored
	RecordIndeterminate                  // it may or may not have been stored, or may yet be
)

// String returns the constant's name without its prefix.
func (c Certainty) String() string {
	if c == RecordNone {
		return "None"
	}
	return name(certaintyNames[:], int(c))
}

// RecordReason refines the outcome of a record.
type RecordReason uint8

// The reasons of a record outcome. The zero value is no reason.
const (
	RecordConditionFailed RecordReason = iota + 1 // something else is stored
	RecordObservationGone                         // what was observed is gone
	RecordTooLarge                                // refused before anything was sent
	RecordEncodeFailed                            // the value could not be encoded
	RecordStoreRefused                            // the store refused writes: out of memory, read only, no permission
	RecordNeverSent                               // the command that would have stored it was certainly not sent
	RecordUnfenced                                // loaded without a grant, so not recorded
	RecordPending                                 // still running when the caller was answered
	RecordSuperseded                              // an invalidation came since the load began
	RecordOlderRevision                           // a greater revision is known
)

// String returns the constant's name without its prefix.
func (r RecordReason) String() string {
	if r == 0 {
		return "None"
	}
	return name(recordReasonNames[:], int(r))
}

func name(names []string, index int) string {
	if index < 1 || index > len(names) {
		return "Unknown"
	}
	return names[index-1]
}

var (
	lookupKindNames   = [...]string{"Fresh", "Stale", "Negative", "Miss", "Unusable", "Unavailable"}
	missReasonNames   = [...]string{"Absent", "Expired", "Invalidated"}
	entryKindNames    = [...]string{"Retired", "Payload", "Future", "Corrupt", "Oversize", "Foreign"}
	certaintyNames    = [...]string{"Applied", "NotApplied", "Indeterminate"}
	recordReasonNames = [...]string{
		"ConditionFailed", "ObservationGone", "TooLarge", "EncodeFailed", "StoreRefused", "NeverSent", "Unfenced", "Pending", "Superseded",
		"OlderRevision",
	}
)

package cacheaside

// What a lookup leads to. This is the whole decision of a read, as a pure function of what was found and of the policy; everything else carries
// it out.

type action uint8

const (
	actionAnswer  action = iota + 1 // a fresh value: answer it
	actionAbsence                   // a recorded absence: answer that
	actionRefuse                    // an unusable entry: fail fast, touch nothing
	actionLoad                      // the bounded path to the source
)

// step is what happens next, and what of the lookup goes along.
type step struct {
	action action

	// retain: the caller keeps its stale value while the source is asked.
	retain bool

	// write: a good load may be recorded, under the condition that the lookup justified.
	write bool

	// quarantine: what is written replaces an entry that this process could not use.
	quarantine bool

	// unavailable: the store could not be asked, so callers are released before the record, which may wait out another time limit.
	unavailable bool
}

func decide(kind LookupKind, entry EntryKind, observed bool, policy Policy) step {
	switch kind {
	case LookupFresh:
		return step{action: actionAnswer}
	case LookupNegative:
		return step{action: actionAbsence}
	case LookupStale:
		return step{action: actionLoad, retain: true, write: true}
	case LookupMiss:
		return step{action: actionLoad, write: true}
	case LookupUnusable:
		return decideUnusable(entry, observed, policy)
	case LookupUnavailable:
	}
	// A kind that does not exist comes from a broken cache, and a broken cache is an unavailable one.
	return step{action: actionLoad, write: true, unavailable: true}
}

func decideUnusable(entry EntryKind, observed bool, policy Policy) step {
	doing := FailFast
	switch entry {
	case EntryRetired, EntryPayload:
		doing = policy.Incompatible
	case EntryFuture:
		doing = policy.Future
	case EntryCorrupt, EntryOversize, EntryForeign:
		doing = policy.Corrupt
	}
	switch {
	case doing == QuarantineAndReload && observed:
		return step{action: actionLoad, write: true, quarantine: true}
	case doing == LoadOnly:
		return step{action: actionLoad}
	default:
		// Without an observation nothing says which bytes may be replaced, so a quarantine could only guess.
		return step{action: actionRefuse}
	}
}

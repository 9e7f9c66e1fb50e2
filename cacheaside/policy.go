package cacheaside

import (
	"errors"
	"strconv"
	"time"
)

// EntryAction is what a policy does about an unusable entry.
type EntryAction uint8

// The actions. Which ones a field of [Policy] takes is said there.
const (
	FailFast            EntryAction = iota + 1 // an *EntryError; the source is not called, nothing is written
	QuarantineAndReload                        // load within the bounds and replace exactly the observed bytes
	LoadOnly                                   // answer from the source within the bounds, write nothing
)

// String returns the constant's name.
func (a EntryAction) String() string { return name(entryActionNames[:], int(a)) }

var entryActionNames = [...]string{"FailFast", "QuarantineAndReload", "LoadOnly"}

// DontWait as [StaleRules.RefreshWait] answers a stale value at once, while its refresh goes on.
const DontWait time.Duration = -1

// StaleRules say for what a retained stale value may answer, always before its hard expiry only.
type StaleRules struct {
	OnTransient bool // a classified transient failure, or one that is remembered
	OnRejected  bool // a bound: KeysFull, WaitersFull, AdmissionTimeout, Closed, Superseded
	OnDeadline  bool // LoadDeadline and Overdue

	// OnHeld answers a stale value at once where another process is loading the key ([Fleet]), with the cause [ReasonHeld].
	OnHeld bool

	// RefreshWait is how long a caller with a stale value waits for its refresh before it takes the value, with the cause
	// [ReasonRefreshPending]: 0 waits as long as the flight, [DontWait] not at all. It is a choice of its own, beside the three rules.
	RefreshWait time.Duration
}

// Policy bounds what one region may ask of its source and says what it answers in trouble. It is a plain value; a region copies it. The zero
// value is refused: start from [StrictPolicy], [BalancedPolicy] or [SurvivePolicy].
type Policy struct {
	MaxInFlightKeys   int           // keys being loaded at once in this region; at least SourceConcurrency
	MaxWaitersPerKey  int           // callers waiting behind one leader, the leader not counted
	SourceConcurrency int           // loaders of this region running at once, overdue ones included
	MaxOverduePerKey  int           // loaders past their deadline that one key may have; 1 to SourceConcurrency
	AdmissionWait     time.Duration // how long a leader may wait for a source permit; 0 = not at all
	LoadDeadline      time.Duration // counts from the permit
	RecordWait        time.Duration // how long callers wait for the record of a good load; 0 = not at all
	FailureBackoff    time.Duration // a classified transient failure is remembered this long per key; 0 = not at all
	ServeStale        StaleRules
	CancelAbandoned   bool        // cancel a load that no caller waits for any more; default: it finishes and fills the cache
	Incompatible      EntryAction // a retired version, a payload of another shape: FailFast or QuarantineAndReload
	Future            EntryAction // a version this library does not know: FailFast or LoadOnly
	Corrupt           EntryAction // corrupt, oversize, foreign: FailFast or LoadOnly

	// Coordination says whether the processes of a fleet know of one another's loads; the zero value is Local.
	Coordination Coordination

	// HeldWait is how long a load waits for another process's load of its key, under Fleet: 0 as long as two grants live, DontWait not at all. A grant
	// lives for AdmissionWait, LoadDeadline and twice the time limit of a record of the cache.
	HeldWait time.Duration

	// Held says what a load does that has waited so long.
	Held HeldAction
}

const (
	maxBound = 1 << 20
	maxWait  = 24 * time.Hour
)

// Validate returns every fault at once, each a [*FieldError], joined; nil if there is none.
func (p Policy) Validate() error {
	var faults faults
	faults.number("MaxInFlightKeys", p.MaxInFlightKeys, 1, maxBound)
	if p.MaxInFlightKeys >= 1 && p.MaxInFlightKeys < p.SourceConcurrency {
		faults.add("MaxInFlightKeys", strconv.Itoa(p.MaxInFlightKeys), "must be at least SourceConcurrency")
	}
	faults.number("MaxWaitersPerKey", p.MaxWaitersPerKey, 0, maxBound)
	faults.number("SourceConcurrency", p.SourceConcurrency, 1, maxBound)
	faults.number("MaxOverduePerKey", p.MaxOverduePerKey, 1, maxBound)
	if p.SourceConcurrency >= 1 && p.MaxOverduePerKey > p.SourceConcurrency {
		faults.add("MaxOverduePerKey", strconv.Itoa(p.MaxOverduePerKey), "must be at most SourceConcurrency")
	}
	faults.wait("AdmissionWait", p.AdmissionWait)
	faults.wait("LoadDeadline", p.LoadDeadline)
	if p.LoadDeadline == 0 {
		faults.add("LoadDeadline", "0s", "must be positive")
	}
	faults.wait("RecordWait", p.RecordWait)
	faults.wait("FailureBackoff", p.FailureBackoff)
	if p.ServeStale.RefreshWait != DontWait {
		faults.wait("ServeStale.RefreshWait", p.ServeStale.RefreshWait)
	}
	if p.HeldWait != DontWait {
		faults.wait("HeldWait", p.HeldWait)
	}
	if p.Coordination > Fleet {
		faults.add("Coordination", p.Coordination.String(), "must be Local or Fleet")
	}
	if p.Held > HeldLoad {
		faults.add("Held", p.Held.String(), "must be HeldReject or HeldLoad")
	}
	faults.action("Incompatible", p.Incompatible, QuarantineAndReload)
	faults.action("Future", p.Future, LoadOnly)
	faults.action("Corrupt", p.Corrupt, LoadOnly)
	return faults.err()
}

// faults collects what is wrong with a configuration, so that a user sees all of it at once.
type faults struct{ list []error }

func (f *faults) add(field, value, rule string) {
	f.list = append(f.list, &FieldError{Field: field, Value: value, Rule: rule})
}

func (f *faults) number(field string, value, least, most int) {
	if value < least || value > most {
		f.add(field, strconv.Itoa(value), "must be "+strconv.Itoa(least)+" to "+strconv.Itoa(most))
	}
}

func (f *faults) wait(field string, value time.Duration) {
	if value < 0 || value > maxWait {
		f.add(field, value.String(), "must be 0 to "+maxWait.String())
	}
}

func (f *faults) action(field string, value, other EntryAction) {
	if value != FailFast && value != other {
		f.add(field, value.String(), "must be FailFast or "+other.String())
	}
}

func (f *faults) err() error { return errors.Join(f.list...) }

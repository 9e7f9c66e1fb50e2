package cacheaside

import "time"

// Observer is told what happens in a region. Observe is called synchronously, from many goroutines at once, never under a lock; it must not
// block. A panic in it is recovered and dropped.
type Observer interface{ Observe(Event) }

// ObserverFunc is a function as an [Observer].
type ObserverFunc func(Event)

// Observe calls the function.
func (f ObserverFunc) Observe(event Event) { f(event) }

// EventKind tells what an [Event] is about, and so which of its fields are set.
type EventKind uint8

// The kinds of event.
const (
	EventGet        EventKind = iota + 1 // a Get ended: Status, Reason, Lookup, Miss, Entry, Certainty, RecordReason, Shared, Duration
	EventLoad                            // a loader returned: Source, Code, Late, Duration; Stack where nobody was left to receive a panic
	EventOverdue                         // a loader was let go that still runs, at its deadline or because nobody wants it (no Reason): Reason
	EventRecord                          // a record ended: Certainty, RecordReason, Late, Duration
	EventInvalidate                      // an Invalidate ended: Certainty, RecordReason, Duration
	EventWarning                         // a configuration weakens a promise: Code
	EventAcquire                         // a load's question for the fleet's grant was answered: Grant, Duration
)

// String returns the constant's name without its prefix.
func (k EventKind) String() string { return name(eventKindNames[:], int(k)) }

// SourceKind is the kind of a loader's outcome, as an [Event] tells it.
type SourceKind uint8

// The kinds of a loader's outcome.
const (
	SourceLoaded       SourceKind = iota + 1 // a value
	SourceAbsent                             // an authoritative absence
	SourceTransient                          // a classified transient failure
	SourcePermanent                          // a classified permanent failure
	SourceCancelled                          // given up
	SourceUnclassified                       // an error that nobody classified
	SourcePanicked                           // the loader panicked
	SourceExited                             // the loader ended its goroutine
	SourceNoOutcome                          // the zero outcome
)

// String returns the constant's name without its prefix.
func (k SourceKind) String() string { return name(sourceKindNames[:], int(k)) }

var (
	eventKindNames  = [...]string{"Get", "Load", "Overdue", "Record", "Invalidate", "Warning", "Acquire"}
	sourceKindNames = [...]string{"Loaded", "Absent", "Transient", "Permanent", "Cancelled", "Unclassified", "Panicked", "Exited", "NoOutcome"}
)

// Event is one thing that happened. It is a plain value and never holds a key, a value, a payload or the text of an error. All its fields but
// Duration and Stack are fit for labels: a region has at most 32 different codes, the rest is "other".
type Event struct {
	Kind         EventKind
	Region       string
	Status       Status
	Reason       Reason // of a rejection, or of the bound that a stale answer answers for
	Lookup       LookupKind
	Miss         MissReason
	Entry        EntryKind
	Source       SourceKind
	Code         string
	Grant        GrantKind
	Certainty    Certainty
	RecordReason RecordReason
	Shared       bool
	Late         bool // the flight had ended before
	Duration     time.Duration

	// Stack is the goroutine's stack where the loader panicked and no caller was left to receive it. It holds no panic value.
	Stack string
}

// emit tells the observer, outside every lock, and survives it.
func (r *Region[K, V]) emit(event Event) {
	if r.observer == nil {
		return
	}
	event.Region = r.name
	defer func() {
		// A hook is somebody else's code on a path that must hold; what it throws is its own loss.
		_ = recover()
	}()
	r.observer.Observe(event)
}

func sourceKind(kind outcomeKind) SourceKind {
	switch kind {
	case outcomeLoaded:
		return SourceLoaded
	case outcomeAbsent:
		return SourceAbsent
	case outcomeTransient:
		return SourceTransient
	case outcomePermanent:
		return SourcePermanent
	case outcomeCancelled:
		return SourceCancelled
	case outcomeUnclassified:
		return SourceUnclassified
	case outcomePanicked:
		return SourcePanicked
	case outcomeExited:
		return SourceExited
	case outcomeNone:
	}
	return SourceNoOutcome
}

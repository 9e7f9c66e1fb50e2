package leasetest

import (
	"testing"
	"time"

	"github.com/cacheaside/resilience/lease"
)

// ttl is how long the leases of the suite are.
const ttl = 10 * time.Second

// Options is what a subject must be built with.
type Options struct {
	// MaxHold is how long a lease may be held in all, exactly.
	MaxHold time.Duration
}

func options() Options { return Options{MaxHold: 6 * ttl} }

// Subject is one store under test with what the suite may do around it. Each assertion gets one of its own, without leases, or on a part of a store that
// nobody else uses. Its functions are called from the test's goroutine only.
type Subject struct {
	// Store is a client of the store under test.
	Store lease.Store

	// Second is another client of the same store, as another process has it. For a store that lives in its process it is the very same one.
	Second lease.Store

	// Advance moves the store's clock, or its records the other way. Calls may be running.
	Advance func(d time.Duration)

	// StandsStill tells that the store's clock moves by Advance only.
	StandsStill bool

	// Now is the clock of Store's client, where it stands still as well. Nil skips what is asked of a holder's own time.
	Now func() time.Time

	// Skewed makes another client of the same store whose own clock is off by a duration. Nil skips. A store in its process has one clock, its own, and
	// leaves it out.
	Skewed func(off time.Duration) lease.Store

	// Break makes the store unreachable for the rest of the subject's life. Nil skips.
	Break func()

	// LoseAnswer makes the store carry out the next call of Store and lose the answer. Nil skips.
	LoseAnswer func()

	// Mortal lists what the store has been told to delete by itself in time. Nil skips.
	Mortal func() []string

	// Crash ends the store as a crash of its machine's process does, and starts it again. Nil skips.
	Crash func()

	// Press puts the store under such pressure that it drops whatever it is free to drop. Nil skips.
	Press func()

	// OpenEvicting opens a client of a store that is free to drop leases under pressure. Nil skips.
	OpenEvicting func() error
}

// NewSubject makes the subject of one assertion. It fails t where it cannot, and leaves what must be closed to t.Cleanup. Besides reporting,
// t is the test's own.
type NewSubject func(t testing.TB, opt Options) Subject

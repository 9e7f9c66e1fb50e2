package explore

// System is one fresh instance of what is explored. Its methods are called inside one bubble of testing/synctest, by one goroutine, at quiescent
// points only: every other goroutine of the bubble is durably blocked. It must be deterministic: the same choices lead to the same system.
type System interface {
	// Choices lists what may happen next, in an order of its own that depends on nothing but the choices made before. None ends the schedule.
	Choices() []Choice

	// State tells in a canonical text everything that what happens next, and every later check, can depend on, but not how it came about: two
	// systems of one text behave the same for ever.
	State() string

	// Check tells which promise is broken now; nil if none is.
	Check() error

	// Settle makes the next step of the fair completion, in which everything that is on its way arrives, and says what it was; "" if nothing is left.
	Settle() string

	// End checks what must hold when everything is over.
	End() error

	// Close lets go of every goroutine that still waits, whatever is the matter with it. What they do from now on is not explored.
	Close()
}

// Choice is one thing that may happen next.
type Choice struct {
	Name string // says what happens, and is the same whenever the same choices were made before
	Do   func() // makes it happen; it need not wait for what follows from it
}

package redistest

// What no test outside can bring about: malformed lines of MONITOR, faults that
// Inject would end the test for, and waits that take all of the patience.
var (
	ParseMonitor = parseMonitor
	Check        = Fault.check
	Poll         = poll
	ErrNotYet    = errNotYet
	Remove       = remove
)

const Patience = patience

// AwaitCount waits for n events of which one comes after the first look.
func AwaitCount(n int) bool {
	var c tally
	go c.add("event")
	return c.await("event", n)
}

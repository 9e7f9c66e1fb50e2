package cacheaside

// Reason tells which bound of the library refused a call.
type Reason uint8

// The reasons of a [RejectedError].
const (
	ReasonKeysFull         Reason = iota + 1 // MaxInFlightKeys keys are being loaded
	ReasonWaitersFull                        // MaxWaitersPerKey callers wait for this key
	ReasonAdmissionTimeout                   // no source permit within AdmissionWait
	ReasonLoadDeadline                       // the load did not end within LoadDeadline
	ReasonOverdue                            // MaxOverduePerKey loads of this key have outlived their deadline
	ReasonSourceBackoff                      // a transient failure of this key is remembered
	ReasonReentrant                          // the key was asked for from inside its own loader
	ReasonRefreshPending                     // only as a stale answer's cause: the refresh goes on
	ReasonClosed                             // the region is closed
	ReasonSuperseded                         // invalidated loads of this key still hold all that the key may hold
	ReasonHeld                               // another process is loading this key, and HeldWait is over; or the cause of a stale answer meanwhile
)

// String returns the constant's name without its prefix.
func (r Reason) String() string { return name(reasonNames[:], int(r)) }

var reasonNames = [...]string{
	"KeysFull", "WaitersFull", "AdmissionTimeout", "LoadDeadline", "Overdue", "SourceBackoff", "Reentrant", "RefreshPending", "Closed", "Superseded",
	"Held",
}

package explore

import (
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// actor is one process.
type actor struct {
	index   int
	name    string
	region  *cacheaside.Region[string, Row]
	clock   *skewedClock
	crashed bool
	gets    []*get
	history []event
	marks   int                         // how often its process learned of an invalidation
	failed  time.Time                   // when its source failed last
	grants  map[string]cacheaside.Fence // by the issuer of the flight; what it was told last
}

// get is one call of cacheaside.Get.
type get struct {
	actor  *actor
	number int
	issuer string
	leave  func() // ends its context
	gone   bool   // its caller has left
	begun  time.Time
	floor  int       // what was settled when it began
	looked time.Time // when its first lookup was answered
	marks  int       // of its actor at that moment
	blind  bool      // its first lookup failed
	missed bool      // a lookup of it, or of its flight, failed
	tomb   bool      // its first lookup saw a tombstone
	newer  int       // loads with a higher number than this began after what was settled when it began was written
	done   bool
}

// load is one call of the source.
type load struct {
	actor    *actor
	number   int // among all loads of the run
	begun    time.Time
	marked   bool // an invalidation came since it began, as far as its process can know
	returned bool
	failed   bool
	blind    bool             // a lookup before it failed, so that its callers are let go before its record
	late     bool             // it returned after its deadline
	stored   bool             // its record took effect
	fence    cacheaside.Fence // the grant that it has
	denied   bool             // a caller was told that it did not, and will not
}

// writing is the row's change that has not been invalidated yet.
type writing struct {
	version int  // of the row
	loads   int  // how many had begun when the Invalidate was called
	on      bool // an Invalidate is on
	applied bool // it has put its tombstone
}

// ghost is a write that is on its way while whoever sent it does not wait any more.
type ghost struct {
	name  string
	actor *actor
	what  any
	until time.Time // when it is lost at the latest
}

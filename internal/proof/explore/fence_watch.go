package explore

import (
	"fmt"
	"time"

	"github.com/cacheaside/resilience/cacheaside"
)

// fenceWatch holds what a store answers to the promises, whatever the rule.
type fenceWatch struct {
	highest uint64           // that was told since the record was lost last
	last    cacheaside.Fence // the last grant
	until   time.Time        // it is live before, by the server's clock
	broken  []error
}

func (w *fenceWatch) same(what string, got, want any) {
	if got != want {
		w.broken = append(w.broken, fmt.Errorf("explore: %s is answered %+v, want %+v", what, got, want))
	}
}

// grant takes in the answer to a request for one.
func (w *fenceWatch) grant(g cacheaside.Grant, now time.Time, lease time.Duration) {
	if g.Kind != cacheaside.GrantGranted || g.Fence == w.last && now.Before(w.until) {
		return
	}
	if now.Before(w.until) {
		w.broken = append(w.broken, fmt.Errorf("%w: %v and %v", ErrTwoGrants, w.last, g.Fence))
	}
	if g.Fence.Token <= w.highest {
		w.broken = append(w.broken, fmt.Errorf("%w: %d after %d", ErrLowToken, g.Fence.Token, w.highest))
	}
	w.highest, w.last, w.until = g.Fence.Token, g.Fence, now.Add(lease)
}

// ended notes that no grant is live.
func (w *fenceWatch) ended() { w.until = time.Time{} }

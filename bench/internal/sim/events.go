package sim

import (
	"time"

	"github.com/cacheaside/resilience/bench/internal/contender"
)

// Change is something that happens to rows at the source, without anybody being told.
type Change struct {
	At time.Duration // after the warm-up
	// Removed rows are gone, Created ones are there.
	Removed, Created []uint64
}

// The names of figures in Extra.
const (
	// CreatedSeen is how long after its creation a row was last denied to anybody, in seconds; the longest of all rows of the run.
	CreatedSeen = "created_row_denied_for_seconds"
	// SlowLookup is the longest lookup of a node on this library that began in an outage of the store, once a breaker should know of it.
	SlowLookup = "slowest_lookup_in_outage_milliseconds"
	// Overdue is the peak of loads past their deadline, over all nodes.
	Overdue = "overdue_loads_peak"
	// Grants is how many grants of a fleet were asked for after the warm-up, and BusiestGrants how many of them in one second at most.
	Grants        = "grants_asked"
	BusiestGrants = "grants_asked_in_one_second_at_most"
	// RefusedFills is how many fills came under a fence that was not their key's any more.
	RefusedFills = "fills_refused_by_the_fence"
)

// settling is how long after a word of the source a reader may still give an older answer that was under way.
const settling = 300 * time.Millisecond

// schedule lets the changes happen.
func (w *world) schedule() {
	for _, change := range w.setup.Changes {
		w.alarms = append(w.alarms, time.AfterFunc(time.Until(w.zero.Add(change.At)), func() {
			for _, key := range change.Removed {
				w.source.remove(key)
			}
			for _, key := range change.Created {
				w.source.write(key)
			}
			w.note(func() {
				for _, key := range change.Created {
					w.created[key] = time.Now()
				}
			})
		}))
	}
}

// watch looks at an answer for what the changes make wrong or worth a figure.
func (w *world) watch(key uint64, began time.Time, answer contender.Answer) {
	if len(w.setup.Changes) == 0 {
		return
	}
	positive := answer.Ending.Answered() && answer.Ending != contender.Absent
	if positive && w.source.saidGone(key, began.Add(-settling)) {
		w.counts.Violation()
	}
	if answer.Ending == contender.Absent {
		w.note(func() {
			if since, ever := w.created[key]; ever {
				w.raise(CreatedSeen, max(0, began.Sub(since).Seconds()))
			}
		})
	}
}

// asked counts a question for a grant.
func (w *world) asked() {
	since := time.Since(w.zero)
	if since < 0 {
		return
	}
	second := int64(since / time.Second)
	w.note(func() {
		w.extra[Grants]++
		w.grants[second]++
		w.raise(BusiestGrants, w.grants[second])
	})
}

// note changes figures under their lock.
func (w *world) note(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// raise keeps the largest, the first whatever it is; the lock is held.
func (w *world) raise(figure string, value float64) {
	if before, ever := w.extra[figure]; ever {
		value = max(before, value)
	}
	w.extra[figure] = value
}

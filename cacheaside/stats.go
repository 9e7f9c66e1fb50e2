package cacheaside

import "sync/atomic"

// Stats is a snapshot of a region: gauges of now, counts since it was made.
type Stats struct {
	InFlightKeys int // flights whose callers have not been answered yet
	Waiters      int // callers waiting behind leaders
	RunningLoads int // loaders running, overdue ones included; each holds a permit
	OverdueLoads int // loaders that have outlived their deadline

	RememberedFailures int // keys whose transient failure is remembered
	RunningRecords     int // records being made, those that outlive their flight included

	// ByStatus counts how calls of [Get] ended, ByReason how often a bound was met, stale answers for it included.
	ByStatus map[Status]uint64
	ByReason map[Reason]uint64
}

type counts struct {
	byStatus [StatusCancelled + 1]atomic.Uint64
	byReason [ReasonHeld + 1]atomic.Uint64
}

// Stats takes a snapshot. It takes the region's lock for a moment. A region that [NewRegion] did not make has zero Stats.
func (r *Region[K, V]) Stats() Stats {
	if r == nil || r.cache == nil {
		return Stats{}
	}
	r.mu.Lock()
	stats := Stats{
		InFlightKeys:       r.state.alive,
		Waiters:            r.state.waiters,
		RunningLoads:       r.state.running,
		OverdueLoads:       r.state.overdue,
		RememberedFailures: len(r.state.failures),
		RunningRecords:     r.state.records,
	}
	r.mu.Unlock()
	stats.ByStatus = make(map[Status]uint64)
	stats.ByReason = make(map[Reason]uint64)
	for status := StatusFresh; status <= StatusCancelled; status++ {
		if count := r.counts.byStatus[status].Load(); count > 0 {
			stats.ByStatus[status] = count
		}
	}
	for reason := ReasonKeysFull; reason <= ReasonHeld; reason++ {
		if count := r.counts.byReason[reason].Load(); count > 0 {
			stats.ByReason[reason] = count
		}
	}
	return stats
}

package cacheaside

import (
	"strconv"

	"github.com/benbjohnson/clock"
)

// state is everything a region's lock guards. At rest every map in it is empty and every count zero.
type state[K comparable, V any] struct {
	flights  map[string]*flight[K, V]   // by canonical key; those that a caller may join
	detached map[string]*detached[K, V] // by canonical key; loads that run on without an entry in flights
	failures map[string]*failure        // by canonical key

	alive   int // flights not published yet, superseded ones included
	waiters int // callers behind leaders
	running int // loaders running, each with a permit
	overdue int // the overdue loads of all keys
	records int // records being made
	owned   int // goroutines of the region: flights and loaders

	generation Generation // the last that a lookup told

	sequence uint64 // makes the id of every flight unique
	closed   bool
	idle     chan struct{} // closed once the region is closed and owns no goroutine
}

func newState[K comparable, V any]() state[K, V] {
	return state[K, V]{
		flights:  make(map[string]*flight[K, V]),
		detached: make(map[string]*detached[K, V]),
		failures: make(map[string]*failure),
		idle:     make(chan struct{}),
	}
}

// detached are the loads of one key that no caller can join any more: superseded by an invalidation, abandoned, or past their deadline.
type detached[K comparable, V any] struct {
	flights map[*flight[K, V]]struct{}
	overdue int // those that are past their deadline
}

// failure is a remembered transient failure.
type failure struct {
	cause      error
	number     uint64       // of the load that failed
	condition  Condition    // what it would have recorded under
	generation Generation   // likewise
	timer      *clock.Timer // forgets it
}

// mayStartLocked tells whether a new flight of a key may start beside the loads that the key still has running. Overdue loads are bounded by
// MaxOverduePerKey. Superseded and abandoned ones are not overdue yet, but they all hold permits: together with the new one there are never more of
// a key than that, so that one that hangs and is invalidated or given up over and over cannot take the region's permits either. Where the bound is
// 1 there may be two, so that one invalidation or one abandoned load does not refuse the very load that it calls for.
func (r *Region[K, V]) mayStartLocked(canonical string) Reason {
	running := r.state.detached[canonical]
	switch {
	case running == nil:
		return 0
	case running.overdue >= r.policy.MaxOverduePerKey:
		return ReasonOverdue
	}
	loads, reason := 0, ReasonSuperseded
	for f := range running.flights {
		if f.back {
			continue // it waits for its record alone
		}
		loads++
		if !f.superseded {
			reason = ReasonOverdue
		}
	}
	if loads < max(r.policy.MaxOverduePerKey, 2) {
		return 0
	}
	return reason
}

// detachLocked takes f out of the flights that can be joined, by identity: a newer flight of the key stays.
func (r *Region[K, V]) detachLocked(f *flight[K, V]) {
	if r.state.flights[f.canonical] == f {
		delete(r.state.flights, f.canonical)
	}
	group := r.state.detached[f.canonical]
	if group == nil {
		group = &detached[K, V]{flights: make(map[*flight[K, V]]struct{})}
		r.state.detached[f.canonical] = group
	}
	group.flights[f] = struct{}{}
}

// overdueLocked counts f, whose loader runs on past its deadline, in the critical section that releases its callers.
func (r *Region[K, V]) overdueLocked(f *flight[K, V]) {
	r.detachLocked(f)
	f.overdue = true
	r.state.detached[f.canonical].overdue++
	r.state.overdue++
}

// forgetLocked drops every trace of f.
func (r *Region[K, V]) forgetLocked(f *flight[K, V]) {
	if r.state.flights[f.canonical] == f {
		delete(r.state.flights, f.canonical)
	}
	group := r.state.detached[f.canonical]
	if group == nil {
		return
	}
	if _, there := group.flights[f]; !there {
		return
	}
	delete(group.flights, f)
	if f.overdue {
		group.overdue--
		r.state.overdue--
	}
	if len(group.flights) == 0 {
		delete(r.state.detached, f.canonical)
	}
}

func (r *Region[K, V]) nextIDLocked(canonical string) string {
	r.state.sequence++
	return canonical + "#" + strconv.FormatUint(r.state.sequence, 10)
}

// own counts a goroutine that the region starts; disown ends it. Close waits for all of them.
func (r *Region[K, V]) ownLocked() { r.state.owned++ }

func (r *Region[K, V]) disown() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.owned--
	r.idleLocked()
}

func (r *Region[K, V]) idleLocked() {
	if !r.state.closed || r.state.owned > 0 {
		return
	}
	select {
	case <-r.state.idle:
	default:
		close(r.state.idle)
	}
}
